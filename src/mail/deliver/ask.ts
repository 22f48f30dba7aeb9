// Asks the gateways for the outcomes of copies that a consumer transferred to them, or that they
// may have after a restart of the ledger (docs/architecture.md §Ask). Composes no copies: an
// attempt that no gateway knows goes to the queue again.
import type { AttemptQuestion, MessageToSettle, PostponedGrant } from "../../rpc/question-calls.ts";
import { parseAttemptKey } from "../../rpc/attempt-key.ts";
import type { Ledger } from "../../rpc/ledger.ts";
import type { Grant } from "../../rpc/ledger-calls.ts";
import type { DeliverQuestions } from "../../rpc/queue-jobs.ts";
import type { Env } from "../../env.ts";
import { crashPoint } from "../../lib/crash-point.ts";
import { teamFor } from "../../resources/team-settings/team-cache.ts";
import { type Settings, settingsOf } from "../../settings.ts";
import { readStoredMessage, startOf } from "../message-start.ts";
import type { GrantedAttempt } from "./claimed-delivery.ts";
import type { Couriers } from "./couriers/couriers.ts";
import { askGateways, type GatewayResults } from "./couriers/gateway-questions.ts";
import { giveUpIfExpired } from "./expiry.ts";
import { eventTimes } from "./outcome-times.ts";
import { SettlementQueue } from "./settlement-queue.ts";
import { objectOf } from "../../object-of.ts";

/**
 * Maximum number of known outcomes in one call to the ledger. The call returns the message of each
 * outcome. Such a message has at most 100 KB, because its content is left out. A call can return 32
 * MB.
 */
const KNOWN_PER_CALL = 100;

/**
 * Asks gateways for outcomes, and settles the known outcomes. Throws if a part of the service is
 * down. Then the ledger sends its questions again after a wait.
 */
export async function askForOutcomes(
  env: Env,
  { teamId, asks }: DeliverQuestions,
  couriers: Couriers,
): Promise<void> {
  await crashPoint(env.CRASH_POINT_URL, "before_ask");
  const settings = settingsOf(env);
  const all = asks.flatMap(asksOf);
  // After a restart the ledger has lost the leases in memory, so its questions name no gateway
  // (`host` is null). A courier that does not remember attempts uses no gateway, and its leases are
  // on disk. So with such a courier, no gateway has the copy.
  const isPlaced = ({ host }: AttemptQuestion): boolean => host !== null;
  const team = all.every(isPlaced) ? null : await teamFor(env, teamId, Date.now());
  if (team === undefined) return; // the team and its ledger were deleted
  const isKnowable = (one: AttemptQuestion): boolean =>
    isPlaced(one) || (team !== null && couriers.remembers(team.courier));
  const answers = await askGateways(settings, all.filter(isKnowable));
  const { underWay, known, waiting } = answers;
  const neverHeard = [...answers.neverHeard, ...all.filter((ask) => !isKnowable(ask))];
  await crashPoint(env.CRASH_POINT_URL, "after_ask");
  const ledger = objectOf(env, "TEAM_LEDGER", teamId);
  const { unheardAgain, messages } = await ledger.noteAnswers(
    { underWay, neverHeard, known: [] },
    Date.now(),
  );
  const settling = new SettlementQueue(env, teamId, true);
  for (const one of unheardAgain.flatMap(attemptsOf(messages)))
    giveUpIfExpired(settings, settling, one);
  for (let from = 0; from < known.length; from += KNOWN_PER_CALL)
    await enterKnown(settling, ledger, known.slice(from, from + KNOWN_PER_CALL));
  const postponed: PostponedGrant[] = [];
  for (let from = 0; from < waiting.length; from += KNOWN_PER_CALL)
    postponed.push(
      ...(await postpone(settings, settling, ledger, waiting.slice(from, from + KNOWN_PER_CALL))),
    );
  await settling.close();
  if (postponed.length > 0)
    await ledger.leave({ handedOver: [], postponed, courierRemembers: true }, Date.now());
}

/**
 * Returns the attempts that are postponed until their gateway has a free connection. Gives up a
 * recipient whose 72 hours are over.
 */
async function postpone(
  settings: Settings,
  settling: SettlementQueue,
  ledger: Pick<Ledger, "noteAnswers">,
  waiting: GatewayResults["waiting"],
): Promise<PostponedGrant[]> {
  const answers = { underWay: [], neverHeard: [], known: waiting };
  const attempted = attemptsOf((await ledger.noteAnswers(answers, Date.now())).messages);
  return waiting
    .filter((one) => attempted(one).every((it) => !giveUpIfExpired(settings, settling, it)))
    .map((one) => ({ ...one, isForRoom: true }));
}

/** Adds the known outcomes of attempts that are not settled yet to the settlement queue. */
async function enterKnown(
  settling: SettlementQueue,
  ledger: Pick<Ledger, "noteAnswers">,
  known: GatewayResults["known"],
): Promise<void> {
  const grants = known.map(({ grant }) => grant);
  const answers = { underWay: [], neverHeard: [], known: grants };
  const attempted = attemptsOf((await ledger.noteAnswers(answers, Date.now())).messages);
  for (const { grant, answer } of known)
    for (const one of attempted(grant)) {
      const { handedAt, repliedAt } = eventTimes(answer.times, startOf(one.message), Date.now());
      settling.enterOutcome(one, answer.outcome, { handedAt, now: repliedAt });
    }
}

/**
 * Returns a function that finds the attempt of a grant, together with the message. The function
 * returns a list of one attempt, or an empty list if the message does not need an outcome any more.
 */
function attemptsOf(messages: readonly MessageToSettle[]): (grant: Grant) => GrantedAttempt[] {
  const byId = new Map(
    messages.map(({ emailId, meta, startsAt, heldMs }) => [
      emailId,
      readStoredMessage(meta, startsAt, heldMs),
    ]),
  );
  return (grant) => {
    const message = byId.get(grant.emailId);
    const recipient = message?.recipients[grant.recipientIndex] ?? "";
    return message ? [{ grant, message, recipient }] : [];
  };
}

function asksOf({ host, keys }: DeliverQuestions["asks"][number]): AttemptQuestion[] {
  return keys.flatMap((key) => {
    const grant = parseAttemptKey(key);
    return grant ? [{ ...grant, host }] : [];
  });
}
