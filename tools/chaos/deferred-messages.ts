// Gives a team deferred messages for a storm (worker/deferred-rows.ts). Their number is far above
// the number that a ledger keeps in memory, so they test its restart. Some are due in the storm.
// The others are not due, and are deleted before the round settles.
import { SENDER_DOMAIN } from "../harness/sample-message.ts";
import type { ChaosTeam } from "./chaos-team.ts";
import type { Violation } from "./check/check.ts";
import { type SentMessage, textOf } from "./clients.ts";
import type { RoundPlan } from "./plan.ts";
import { DOMAIN } from "./plan-servers.ts";
import { copiedId, copiedToken } from "./worker/deferred-rows.ts";

/** Number of deferred messages that are due during a storm. */
export const DUE = 200;
const TOMORROW_MS = 24 * 60 * 60_000;

/** Makes the deferred messages. Returns those that are due. They do not count against the quota. */
export async function deferMessages(
  { call, defer }: ChaosTeam,
  { seed, round, deferred }: RoundPlan,
): Promise<SentMessage[]> {
  if (deferred === 0) return [];
  const token = `s${seed}r${round}edge`;
  const addressOf = (of: string): string => `ok-${of}@d${round % 7}.${DOMAIN}`;
  const { id: emailId } = await call<{ id: string }>("POST", "/v1/email", {
    from: `hello@${SENDER_DOMAIN}`,
    to: [addressOf(token)],
    subject: token,
    text: textOf("small", token),
    scheduled_at: new Date(Date.now() + TOMORROW_MS).toISOString(),
  });
  await defer({ emailId, token, copies: deferred, due: DUE });
  await call("POST", `/v1/email/${emailId}/cancel`);
  return Array.from({ length: DUE }, (_, index): SentMessage => {
    const own = copiedToken(token, index + 1);
    return {
      token: own,
      recipients: [addressOf(own)],
      sensitive: false,
      via: "single",
      keyed: true,
      tries: 1,
      emailId: copiedId(emailId, index + 1),
      notBefore: 0,
      isCanceled: false,
      isSentBefore: true,
      log: [],
    };
  });
}

/** Deletes the messages that are not due. Returns a violation if some of them are missing. */
export async function endDeferred(team: ChaosTeam, { deferred }: RoundPlan): Promise<Violation[]> {
  if (deferred === 0) return [];
  const resting = await team.defer({ emailId: "", token: "", copies: 0, due: 0 });
  const detail = `${resting} messages rest, and ${deferred - DUE} were deferred for a day`;
  return resting === deferred - DUE ? [] : [{ rule: "deferred", token: null, detail }];
}
