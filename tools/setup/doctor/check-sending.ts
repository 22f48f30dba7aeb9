// Sends a real message for `--send`, from a verified domain of the key's team, and waits for the
// event that tells what became of it. It works for any courier; with `cloudflare` it proves that
// the Email Service's events come back and find their message.
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { OperatorClient, type SentEmail } from "../operator-client.ts";
import { SetupProblem } from "../setup-problem.ts";
import type { KnownTeam } from "./check-delivery.ts";
import type { AccountLogin } from "./account-login.ts";
import type { Target } from "./doctor-target.ts";
import { fail, type Finding, ok, warn } from "./finding.ts";

const CHECK = "send";
const EVERY_MS = 500;

/** Statuses that nothing but time changes. */
const LAST = new Set(["delivered", "bounced", "suppressed", "complained"]);

const WORDS: Readonly<Record<string, string>> = {
  sent: "was handed over",
  delivered: "was delivered",
  bounced: "bounced",
  complained: "drew a complaint",
};

export async function checkSending(
  target: Target,
  { domains, courier = target.outbound }: KnownTeam,
  login: () => Promise<AccountLogin>,
): Promise<Finding> {
  const { url, key, waitMs } = target;
  const from = domains.find(({ status }) => status === "verified")?.name;
  if (key === undefined)
    return fail(CHECK, "no message was sent: no API key is known", "give a full key with --key");
  if (from === undefined)
    return fail(
      CHECK,
      "no message was sent: the key's team has no verified domain",
      "publish the domain's records (GET /v1/domains), then POST /v1/domains/{id}/verify",
    );
  const to = target.sendTo || (await ownAddress(login));
  if (to === null)
    return fail(
      CHECK,
      "no message was sent: the login has no mail address",
      "name an address of yours: --send you@example.org",
    );
  const api = new OperatorClient(url);
  const startedAt = performance.now();
  try {
    const { id } = await api.send(key, `doctor-${randomUUID()}`, {
      from: `doctor@${from}`,
      to: [to],
      subject: "Doctor",
      text: "npm run doctor sent this message to see whether mail leaves and its events come back.",
    });
    let seen = await api.email(key, id);
    while (performance.now() - startedAt < waitMs && !LAST.has(statusOf(seen))) {
      await wait(EVERY_MS);
      seen = await api.email(key, id);
    }
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    return judge(courier, `${id} to ${to}`, seen, seconds);
  } catch (error) {
    if (!(error instanceof SetupProblem)) throw error;
    return fail(CHECK, `no message could be sent: ${error.message}`, error.mend);
  }
}

async function ownAddress(login: () => Promise<AccountLogin>): Promise<string | null> {
  const found = await login();
  return found.kind === "in" ? found.email : null;
}

function statusOf(email: SentEmail | undefined): string {
  return email?.recipients[0]?.status ?? "unknown";
}

function judge(
  courier: string | undefined,
  which: string,
  email: SentEmail | undefined,
  seconds: string,
): Finding {
  const status = statusOf(email);
  const events = email?.recipients[0]?.events ?? [];
  const reply = events.findLast((event) => event.smtp_response !== null)?.smtp_response;
  const said = `${which} ${WORDS[status] ?? `is ${status}`} after ${seconds} s${reply === undefined || reply === null ? "" : `: ${reply}`}`;
  if (status === "delivered") return ok(CHECK, said);
  if (status === "bounced" || status === "complained")
    return warn(
      CHECK,
      said,
      "an event came back, so the way back works; the words say why that server refused the mail",
    );
  if (status === "delayed")
    return warn(CHECK, said, "it is tried again by itself; the words say what delays it");
  if (status === "suppressed")
    return warn(
      CHECK,
      said,
      "nothing was sent: the address is suppressed. Name another, or remove it (DELETE " +
        "/v1/suppressions/{id})",
    );
  if (status === "sent" && courier === "cloudflare")
    return fail(
      CHECK,
      `${said}, and no event came about it`,
      "check the subscription (email-service.subscription), and the queue: npx wrangler queues " +
        "info postern-email-events; then npx wrangler tail. --wait takes longer",
    );
  return fail(
    CHECK,
    said,
    "the courier has not carried it away: GET /v1/email/{id} and npx wrangler tail say why. " +
      "--wait takes longer",
  );
}
