// Judges a message in the inbox by the rules of the service (docs/mail-check.md).
import { readFileSync } from "node:fs";
import type { ClientSupport } from "../../../src/lint/client-support.ts";
import { STANDARD_CLIENTS } from "../../../src/lint/client-support.ts";
import { judgeMail } from "../../../src/lint/judge-mail.ts";
import type { MailProblem } from "../../../src/lint/mail-problem.ts";
import { readMail } from "../../../src/lint/read-mail.ts";
import { runInSteps } from "../../../src/lib/step-scheduler.ts";

const SUPPORT = new URL("../../../public/api/client-support.json", import.meta.url);
/**
 * The addresses of the local stack's own links. They lead to this machine, so the check accepts
 * them.
 */
const OWN_URLS = ["http://127.0.0.1", "http://localhost"];

let support: ClientSupport | undefined;

export async function checkMessage(raw: Uint8Array): Promise<readonly MailProblem[]> {
  support ??= JSON.parse(readFileSync(SUPPORT, "utf8")) as ClientSupport;
  const mail = await readMail(raw, OWN_URLS);
  return runInSteps(judgeMail(mail, { rulesOff: [], clients: STANDARD_CLIENTS, support }));
}
