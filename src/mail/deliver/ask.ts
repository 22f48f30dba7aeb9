// Asks the gateways for the outcomes of copies that a consumer left with them, or that may be with
// them after a restart of the ledger (docs/architecture.md §Ask). It composes nothing: an attempt
// that no gateway has heard of goes to the queue again.
import type { AnsweredMessage, AttemptAsk } from "../../contracts/ask-contract.ts";
import { parseAttemptKey } from "../../contracts/attempt-key.ts";
import type { Grant } from "../../contracts/ledger-contract.ts";
import type { DeliverAsks } from "../../contracts/queue-jobs.ts";
import type { Env } from "../../env.ts";
import { crashPoint } from "../../lib/crash-point.ts";
import { teamFor } from "../../resources/team-settings/team-cache.ts";
import { settingsOf } from "../../settings.ts";
import { readStoredMessage, startOf } from "../message-start.ts";
import type { Attempted } from "./claimed-delivery.ts";
import { askGateways } from "./couriers/gateway-questions.ts";
import { giveUpIfExpired } from "./expiry.ts";
import { eventTimes } from "./outcome-times.ts";
import { Settling } from "./settling.ts";

/**
 * Asks, and settles what is known. Throws when a part of our own service is down; the ledger then
 * asks again.
 */
export async function askForOutcomes(env: Env, { teamId, asks }: DeliverAsks): Promise<void> {
  const team = await teamFor(env, teamId, Date.now());
  if (!team) return; // deleted: its ledger is gone too
  await crashPoint(env.CRASH_POINT_URL, "before_ask");
  const settings = settingsOf(env);
  const { underWay, neverHeard, known } = await askGateways(settings, asks.flatMap(asksOf));
  await crashPoint(env.CRASH_POINT_URL, "after_ask");
  const grants = known.map(({ grant }) => grant);
  const { messages, unheardAgain } = await env.TEAM_LEDGER.getByName(teamId).noteAnswers(
    { underWay, neverHeard, known: grants },
    Date.now(),
  );
  const attempted = attemptsOf(messages);
  const settling = new Settling(env, teamId, true);
  for (const { grant, answer } of known)
    for (const one of attempted(grant)) {
      const { handedAt, repliedAt } = eventTimes(answer.times, startOf(one.message), Date.now());
      settling.enterOutcome(one, answer.outcome, { handedAt, now: repliedAt });
    }
  for (const one of unheardAgain.flatMap(attempted)) giveUpIfExpired(settings, settling, one);
  await settling.close();
}

/** Returns a function that makes a grant's attempt; it makes none of a message that is settled. */
function attemptsOf(messages: readonly AnsweredMessage[]): (grant: Grant) => Attempted[] {
  const byId = new Map(
    messages.map(({ emailId, meta, startsAt }) => [emailId, readStoredMessage(meta, startsAt)]),
  );
  return (grant) => {
    const message = byId.get(grant.emailId);
    const recipient = message?.recipients[grant.recipientIndex] ?? "";
    return message ? [{ grant, message, recipient }] : [];
  };
}

function asksOf({ host, keys }: DeliverAsks["asks"][number]): AttemptAsk[] {
  return keys.flatMap((key) => {
    const grant = parseAttemptKey(key);
    return grant ? [{ ...grant, host }] : [];
  });
}
