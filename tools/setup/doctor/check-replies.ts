// Tests with `--send` that replies arrive. A message to the simulator shows the reply address of
// its copy. The doctor sends a message to this address over public mail servers. This message must
// appear among the replies.
import { randomUUID } from "node:crypto";
import { mailboxesOf, ROUTING_SETTINGS, SWITCH_SUBADDRESSING } from "../account/mailbox-rules.ts";
import { OperatorClient } from "../operator-client.ts";
import { SetupProblem } from "../setup-problem.ts";
import { type WaitingClock, waitUntil } from "../wait-until.ts";
import { statusOf, verifiedOf } from "./check-sending.ts";
import { hasGateway, type Target } from "./doctor-target.ts";
import { critical, type CheckResults, ok, notKnown } from "./check-result.ts";
import type { KnownTeam } from "./known-team.ts";

const CHECK = "replies";
const EVERY_MS = 500;
/** Statuses after which the mail can't arrive. */
const LOST = new Set(["bounced", "suppressed"]);

export async function checkReplies(
  target: Target,
  clock: WaitingClock,
  { domains }: KnownTeam,
): Promise<CheckResults> {
  const { key, serviceDomain, sendTo, isLocal } = target;
  const from = verifiedOf(domains);
  // The local stack sends all mail to its inbox, and none to its own port 25.
  if (isLocal || sendTo === undefined || key === undefined) return [];
  if (serviceDomain === undefined || from === undefined) return [];
  const api = new OperatorClient(target.url);
  const send = (to: string, more: object = {}) =>
    api.send(key, `doctor-${randomUUID()}`, {
      from: `doctor@${from}`,
      to: [to],
      subject: "Doctor",
      text: "npm run doctor sent this message to see whether replies arrive.",
      ...more,
    });
  const until = <Found>(look: () => Promise<Found>, isEnough: (found: Found) => boolean) =>
    waitUntil(clock, target.waitMs, EVERY_MS, look, isEnough);
  try {
    const { id } = await send(`replies@simulator.${serviceDomain}`, { reply_tracking: true });
    const [simulated] = await until(
      () => api.replies(key, id),
      (replies) => replies.length > 0,
    );
    const [address] = simulated?.to ?? [];
    if (address === undefined)
      return critical(CHECK, `the simulator did not answer ${id}`, "npx wrangler tail says why");
    const reply = await send(address);
    const seen = await until(
      async () => ({ replies: await api.replies(key, id), email: await api.email(key, reply.id) }),
      ({ replies, email }) => replies.length > 1 || LOST.has(statusOf(email)),
    );
    if (seen.replies.length > 1)
      return ok(CHECK, `a mail to ${hostOf(address)} is a reply to ${id}`);
    const [recipient] = seen.email?.recipients ?? [];
    const said = recipient?.events.findLast((event) => event.smtp_response !== null);
    const words = said?.smtp_response ? `: ${said.smtp_response}` : "";
    const what = `a mail to ${address} is ${statusOf(seen.email)} and no reply arrived${words}`;
    return critical(CHECK, what, mendOf(serviceDomain, hasGateway(target)));
  } catch (error) {
    if (!(error instanceof SetupProblem)) throw error;
    return error.message.includes("reply_tracking")
      ? notKnown(
          CHECK,
          "no reply was sent: the key's team does not read replies (PATCH /v1/team, reads_replies)",
        )
      : critical(CHECK, `no reply could be sent: ${error.message}`, error.mend);
  }
}

function hostOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

function mendOf(serviceDomain: string, isGateways: boolean): string {
  if (isGateways)
    return "look at RETURN_PATH of the gateway, at its port 25 (smtp.port) and at its log";
  const [mailbox] = mailboxesOf(serviceDomain, false).slice(-1);
  return (
    `${ROUTING_SETTINGS}, add ${mailbox?.host}; under Routing rules, send ${mailbox?.address} to ` +
    `the worker; and ${SWITCH_SUBADDRESSING}`
  );
}
