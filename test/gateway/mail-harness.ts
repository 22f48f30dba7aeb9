// Starts the ports for incoming mail for tests, with a fake worker and a new certificate.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type IntakeSettings, readSettings } from "../../smtp-gateway/src/config.ts";
import { setLogLevel } from "../../smtp-gateway/src/gateway-log.ts";
import { type MailPorts, openMailPorts } from "../../smtp-gateway/src/inbound/mail-ports.ts";
import { selfSigned } from "../../tools/harness/smtp/self-signed.ts";
import { FakeWorker, TOKEN } from "./fake-worker.ts";
import { cleanups, temporaryDirectory } from "./gateway-harness.ts";

export const HOSTNAME = "in.postern.test";

export interface MailHarness {
  readonly worker: FakeWorker;
  readonly mail: MailPorts;
  readonly port: number;
  readonly certificateFiles: { readonly certificate: string; readonly key: string };
  readonly close: () => Promise<void>;
}

/**
 * The role of a port decides in which settings the port is listed: submission, return-path, or
 * both. "bounces-too" is a submission port that also accepts bounces with the null sender.
 */
export type HarnessRole = "submission" | "return-path" | "both" | "bounces-too";

/** Starts a fake worker that ends after the test. */
export async function startWorker(): Promise<FakeWorker> {
  const worker = new FakeWorker();
  await worker.listen();
  cleanups.push(() => worker.close());
  return worker;
}

export function writeCertificate(
  directory: string,
  host = HOSTNAME,
): { certificate: string; key: string } {
  const { cert, key } = selfSigned([host]);
  const files = { certificate: join(directory, "cert.pem"), key: join(directory, "key.pem") };
  writeFileSync(files.certificate, cert);
  writeFileSync(files.key, key);
  return files;
}

/** Returns the settings of a submission port with a new certificate. */
export function submissionTo(
  workerOrigin: string,
  more: Readonly<Record<string, string>> = {},
): IntakeSettings {
  const { certificate, key } = writeCertificate(temporaryDirectory());
  const { intake } = readSettings({
    GATEWAY_TOKEN: TOKEN,
    GATEWAY_HOSTNAME: HOSTNAME,
    WORKER_URL: workerOrigin,
    SUBMISSION_HOST: "127.0.0.1",
    SUBMISSION_PORTS: "0",
    SUBMISSION_CERTIFICATE: certificate,
    SUBMISSION_KEY: key,
    ...more,
  });
  return intake!;
}

export async function startMailHarness(
  role: HarnessRole = "submission",
  overrides: Partial<IntakeSettings> = {},
): Promise<MailHarness> {
  setLogLevel("none");
  const worker = new FakeWorker();
  await worker.listen();
  const intake = submissionTo(worker.origin, {
    SUBMISSION_PORTS: role === "return-path" ? "" : "0",
    RETURN_PATH: String(role === "return-path" || role === "both"),
    SUBMISSION_BOUNCES: String(role === "bounces-too"),
    RETURN_PATH_PORTS: "0",
  });
  const certificateFiles = { certificate: intake.certificate, key: intake.key };
  const mail = await openMailPorts({ ...intake, ...overrides }, TOKEN, HOSTNAME);
  const close = async (): Promise<void> => {
    await mail.drain(0);
    await worker.close();
  };
  return { worker, mail, port: mail.ports[0]!, certificateFiles, close };
}

/** Starts a mail harness that ends after the test. */
export async function startIntake(
  role: HarnessRole = "submission",
  overrides: Partial<IntakeSettings> = {},
): Promise<MailHarness> {
  const harness = await startMailHarness(role, overrides);
  cleanups.push(harness.close);
  return harness;
}
