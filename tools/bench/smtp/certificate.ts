// The certificate of every SMTP server in `bench smtp`: self-signed, with a P-256 key, made for
// each run.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Cleanup, temporaryFolder } from "../../harness/cleanup.ts";
import { selfSigned } from "../../harness/smtp/self-signed.ts";

/** Paths of PEM files. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
  /** One PEM file with key and certificate, as Postfix wants it. */
  readonly chain: string;
}

export const HOST_NAME = "localhost";

export async function makeCertificate(cleanup: Cleanup): Promise<Certificate> {
  const folder = await temporaryFolder(cleanup);
  const { key, cert } = selfSigned([HOST_NAME]);
  const paths = {
    certificate: join(folder, "cert.pem"),
    key: join(folder, "key.pem"),
    chain: join(folder, "chain.pem"),
  };
  await Promise.all([
    writeFile(paths.certificate, cert),
    writeFile(paths.key, key),
    writeFile(paths.chain, key + cert),
  ]);
  return paths;
}
