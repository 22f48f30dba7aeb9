// The certificate of every SMTP server in `bench smtp`: self-signed, a P-256 key, made for each run
// by the local stack's own code, in a process of its own because the benches import nothing from
// there.
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { ROOT } from "../../harness/compatibility.ts";

/** Paths of PEM files. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
  /** Key and certificate in one file, as Postfix takes them. */
  readonly chain: string;
}

export const HOST_NAME = "localhost";

const MAKER = pathToFileURL(join(ROOT, "dev", "inbox", "self-signed.ts")).href;
const PROGRAM =
  `import { selfSigned } from "${MAKER}"; ` +
  `console.log(JSON.stringify(selfSigned(["${HOST_NAME}"])));`;

/** `folder` exists and is not accessible to others. */
export async function makeCertificate(folder: string): Promise<Certificate> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--input-type=module",
    "--eval",
    PROGRAM,
  ]);
  const { key, cert } = JSON.parse(stdout) as { readonly key: string; readonly cert: string };
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
