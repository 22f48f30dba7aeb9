// Sends real messages. If an API key is known, a message goes to the simulator. It tests the whole
// way through the queue to the stored timeline (README "The simulator"). With `--send`, a message
// goes to a real address, and the doctor waits for the event with the outcome. For the courier
// `cloudflare`, this event proves that the Email Service's events arrive and are assigned to their
// message.
import { randomUUID } from "node:crypto";
import { OperatorClient, type SentEmail } from "../operator-client.ts";
import { CallProblem, SetupProblem } from "../setup-problem.ts";
import { type WaitingClock, waitUntil } from "../wait-until.ts";
import type { KnownTeam } from "./known-team.ts";
import type { LogIn } from "./account-login.ts";
import type { Target } from "./doctor-target.ts";
import { critical, type CheckResult, ok, notKnown, warning } from "./check-result.ts";

const CHECK = "send";
const EVERY_MS = 500;

/** When a message has one of these statuses, the doctor stops waiting. */
const LAST = new Set(["delivered", "bounced", "suppressed", "complained"]);

const WORDS: Readonly<Record<string, string>> = {
  sent: "was handed over",
  delivered: "was delivered",
  bounced: "bounced",
  complained: "drew a complaint",
};

const ARRIVED =
  "an event arrived, so events reach the worker; the reply says why that server refused the mail";
/** The next step after each outcome for which the deployment is not at fault. */
const ADVICE: Readonly<Record<string, string>> = {
  bounced: ARRIVED,
  complained: ARRIVED,
  delayed: "the service retries by itself; the reply says what delays the message",
  suppressed:
    "nothing was sent: the address is suppressed. Give another address, or remove the " +
    "suppression (DELETE /v1/suppressions/{id})",
};

/** Sends a message to the simulator, and checks that it is delivered. */
export async function checkDelivery(
  target: Target,
  clock: WaitingClock,
  { domains }: KnownTeam,
): Promise<CheckResult> {
  const { key, serviceDomain } = target;
  const from = verifiedOf(domains);
  if (key === undefined || serviceDomain === undefined)
    return notKnown("message", "no message was sent: give --key and the service domain");
  if (from === undefined)
    return notKnown("message", "no message was sent: the key's team has no verified domain");
  const to = `delivered@simulator.${serviceDomain}`;
  return sendAndJudge(target, clock, key, "message", from, to, ({ id, seconds }, email) => {
    const status = statusOf(email);
    if (status === "delivered")
      return ok("message", `${id} to the simulator was delivered after ${seconds} s`);
    return critical(
      "message",
      `${id} to the simulator is ${status} after ${seconds} s`,
      "the queue postern-deliver is stuck: run npx wrangler queues info postern-deliver and " +
        "npx wrangler tail; then read docs/troubleshooting.md, Mail stays queued",
    );
  });
}

/** Sends a message to a real address, and checks that an event with its outcome arrives. */
export async function checkSending(
  target: Target,
  clock: WaitingClock,
  { domains, courier = target.outbound }: KnownTeam,
  login: LogIn,
): Promise<CheckResult> {
  const { key } = target;
  const from = verifiedOf(domains);
  const unsent = (why: string, mend: string) =>
    critical(CHECK, `no message was sent: ${why}`, mend);
  if (key === undefined) return unsent("no API key is known", "give a full key with --key");
  if (from === undefined)
    return unsent(
      "the key's team has no verified domain",
      "publish the domain's records (GET /v1/domains), then POST /v1/domains/{id}/verify",
    );
  const to = target.sendTo || (await ownAddress(login));
  if (to === null)
    return unsent(
      "the login has no mail address",
      "give an address of yours: --send you@example.org",
    );
  if (courier === "cloudflare" && (await isSilent(login, to)))
    return unsent(
      `${to} is a verified destination of the Cloudflare account, and Cloudflare publishes no ` +
        "event about mail to it",
      "give an address that is not on the account's list of destinations: --send someone@example.org",
    );
  return sendAndJudge(target, clock, key, CHECK, from, to, ({ id, seconds }, email) =>
    judge(courier, `${id} to ${to}`, email, seconds),
  );
}

/** Sends a message and waits for its outcome. `judged` makes the result of the check. */
export async function sendAndJudge(
  { url, waitMs }: Target,
  clock: WaitingClock,
  key: string,
  check: string,
  from: string,
  to: string,
  judged: (sent: { id: string; seconds: string }, email: SentEmail | undefined) => CheckResult,
): Promise<CheckResult> {
  const api = new OperatorClient(url);
  const startedAt = clock.now();
  try {
    const { id } = await api.send(key, `doctor-${randomUUID()}`, {
      from: `doctor@${from}`,
      to: [to],
      subject: "Doctor",
      text: "npm run doctor sent this message to see whether mail is delivered.",
    });
    const seen = await waitUntil(
      clock,
      waitMs,
      EVERY_MS,
      () => api.email(key, id),
      (email) => LAST.has(statusOf(email)),
    );
    return judged({ id, seconds: ((clock.now() - startedAt) / 1000).toFixed(1) }, seen);
  } catch (error) {
    if (!(error instanceof SetupProblem)) throw error;
    return critical(check, `no message could be sent: ${error.message}`, error.mend);
  }
}

export function verifiedOf(domains: KnownTeam["domains"]): string | undefined {
  return domains.find(({ status }) => status === "verified")?.name;
}

async function ownAddress(login: LogIn): Promise<string | null> {
  const found = await login();
  return found.kind === "in" ? found.email : null;
}

/** Tells whether the address is a verified destination. Returns false if the list can't be read. */
async function isSilent(login: LogIn, address: string): Promise<boolean> {
  const found = await login();
  if (found.kind === "out") return false;
  try {
    return await found.api.isVerifiedDestination(address);
  } catch (error) {
    if (error instanceof CallProblem) return false;
    throw error;
  }
}

export function statusOf(email: SentEmail | undefined): string {
  return email?.recipients[0]?.status ?? "unknown";
}

function judge(
  courier: string | undefined,
  which: string,
  email: SentEmail | undefined,
  seconds: string,
): CheckResult {
  const status = statusOf(email);
  const events = email?.recipients[0]?.events ?? [];
  const reply = events.findLast((event) => event.smtp_response !== null)?.smtp_response;
  const words = WORDS[status] ?? `is ${status}`;
  const said = `${which} ${words} after ${seconds} s${reply ? `: ${reply}` : ""}`;
  if (status === "delivered") return ok(CHECK, said);
  const advice = ADVICE[status];
  if (advice !== undefined) return warning(CHECK, said, advice);
  if (status === "sent" && courier === "cloudflare")
    return critical(
      CHECK,
      `${said}, and no event about it arrived`,
      "check the subscription (email-service.subscription), and the queue: npx wrangler queues " +
        "info postern-email-events; then npx wrangler tail. A higher --wait gives more time",
    );
  return critical(
    CHECK,
    said,
    "the courier has not sent it: GET /v1/email/{id} and npx wrangler tail say why. " +
      "A higher --wait gives more time",
  );
}
