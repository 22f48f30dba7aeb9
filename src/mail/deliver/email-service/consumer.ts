// Consumes the queue of the Email Service's events (docs/couriers.md): finds the attempt of each
// event, and settles it in its team's ledger. While a part of the service is down, an event is
// retried for days. If the message of an event is not found, the event is retried for a quarter of
// an hour.
import { retryDelaySeconds, spreadDelay } from "../../../retry-delay.ts";
import { addressDomain } from "../../../lib/address.ts";
import type { Env } from "../../../env.ts";
import { timeOfEmailId } from "../../../lib/ids.ts";
import { logError, logInfo, logWarning } from "../../../lib/log.ts";
import type { MessageRecord } from "../../../rpc/event-records.ts";
import type { Settlement } from "../../../rpc/ledger-calls.ts";
import { findSendingTeams } from "../../../resources/domains/domain-lookups.ts";
import { courierFor } from "../../../resources/team-settings/courier-choice.ts";
import { teamFor } from "../../../resources/team-settings/team-cache.ts";
import { settingsOf } from "../../../settings.ts";
import { findMessage, messageInLedger } from "../../record/find-message.ts";
import { recordReport } from "../../record/record-report.ts";
import { toEvents } from "../../record/record.ts";
import { logOutcomes } from "../outcomes.ts";
import { type EmailServiceEvent, readEmailServiceEvent } from "./email-service-event.ts";
import { judgeEvent } from "./event-verdict.ts";
import {
  chooseAttempt,
  type MatchedAttempt,
  mayMatchByAddress,
  retryUnmatched,
  type TeamMatch,
} from "./match-attempt.ts";
import { objectOf } from "../../../object-of.ts";

/** The waits before an event that could not be applied is tried again. */
const EVENT_WAITS = { firstSeconds: 10, longestSeconds: 3_600 };

interface Received {
  readonly message: Message;
  readonly event: EmailServiceEvent;
}

interface Run {
  readonly env: Env;
  readonly speedup: number;
  readonly now: number;
}

export async function consumeEmailServiceEvents(batch: MessageBatch, env: Env): Promise<void> {
  const run = { env, speedup: settingsOf(env).retrySpeedup, now: Date.now() };
  const received = batch.messages.flatMap((message): Received[] => {
    const event = readEmailServiceEvent(message.body, message.timestamp.getTime());
    if (event) return [{ message, event }];
    const { type } = (message.body ?? {}) as { readonly type?: unknown };
    logWarning("email_event_unreadable", { type: typeof type === "string" ? type : null });
    message.ack();
    return [];
  });
  const byDomain = Map.groupBy(received, ({ event }) => addressDomain(event.sender));
  await Promise.all([...byDomain].map(([domain, share]) => applyShare(run, domain, share)));
}

/**
 * Applies the events of one sending domain. Events of the same recipient are applied in the order
 * of their times.
 */
async function applyShare(run: Run, domain: string, share: readonly Received[]): Promise<void> {
  const ordered = share.toSorted((left, right) => left.event.at - right.event.at);
  try {
    const { matches, areAll } = await askLedgers(run, domain, ordered);
    // The time is read after the ledgers' results. A result may have an `email.sent` that was
    // recorded during the call, and an outcome must not be earlier than its `email.sent`.
    const matchedAt = Date.now();
    const found = ordered.map((one, index) => ({
      one,
      attempt: chooseAttempt(one.event, matches[index]!),
    }));
    const byRecipient = Map.groupBy(found, ({ attempt }) =>
      attempt ? `${attempt.emailId}/${attempt.recipientIndex}` : "",
    );
    const applyInOrder = async (some: typeof found): Promise<void> => {
      const first = some.find(({ one }) => one.event.kind !== "complained");
      for (const [index, { one, attempt }] of some.entries())
        if (attempt) {
          // The first event that settles the attempt also adds the `email.sent` event.
          const isUnsettled = attempt.isUnsettled && one === first?.one;
          // Events of one recipient get increasing times, in their order.
          const timed = { ...run, now: matchedAt + index };
          await applyOrRetry(timed, one, { ...attempt, isUnsettled });
        } else if (areAll) waitForMessage(run, one);
        else retryLater(one.message);
    };
    await Promise.all([...byRecipient.values()].map(applyInOrder));
  } catch (error) {
    logError("email_events_not_matched", error);
    for (const { message } of ordered) retryLater(message);
  }
}

/**
 * Asks the ledgers of all teams that send from the domain. Returns their results by event. Attempts
 * are matched by their addresses only for a team whose mail the Email Service carries now.
 */
async function askLedgers(
  { env, now, speedup }: Run,
  domain: string,
  share: readonly Received[],
): Promise<{ readonly matches: TeamMatch[][]; readonly areAll: boolean }> {
  const queries = share.map(({ event }) => {
    const { providerId, sender, recipient, at } = event;
    return { providerId, sender, recipient, at, byAddress: mayMatchByAddress(event, now, speedup) };
  });
  const { teams, areAll } = await findSendingTeams(env, domain);
  const answers = await Promise.all(
    teams.map(async (teamId) => {
      const team = await teamFor(env, teamId, now);
      const isCarried = courierFor(team?.courier ?? null, settingsOf(env)) === "cloudflare";
      const asked = queries.map((one) => ({ ...one, byAddress: one.byAddress && isCarried }));
      const matches = await objectOf(env, "TEAM_LEDGER", teamId).matchProviderCopies(asked);
      return matches.map((match): TeamMatch => ({ teamId, match }));
    }),
  );
  const matches = share.map((_, index) => answers.map((some) => some[index]!));
  return { matches, areAll };
}

async function applyOrRetry(run: Run, one: Received, attempt: MatchedAttempt): Promise<void> {
  try {
    await applyEvent(run, one.event, attempt);
    one.message.ack();
  } catch (error) {
    const { teamId: team_id, emailId: email_id } = attempt;
    logError("email_event_not_applied", error, { team_id, email_id });
    retryLater(one.message);
  }
}

async function applyEvent(
  { env, speedup, now }: Run,
  event: EmailServiceEvent,
  attempt: MatchedAttempt,
): Promise<void> {
  const { teamId, emailId, recipientIndex } = attempt;
  const team = await teamFor(env, teamId, now);
  const known = attempt.found && messageInLedger(attempt.found);
  const message = team && (known ?? (await findMessage(env, team, emailId)));
  const recipient = message?.recipients[recipientIndex];
  if (!message || recipient === undefined) return noteIgnored(event, attempt);
  if (attempt.by === "address")
    logWarning("email_event_matched_by_address", {
      team_id: teamId,
      email_id: emailId,
      recipient_index: recipientIndex,
      provider_id: event.providerId,
    });
  const heldMs = attempt.found?.open?.heldMs ?? 0;
  const verdict = judgeEvent(event, {
    recipient,
    attempt: attempt.attempt,
    startsAt: (message.scheduledAt ?? timeOfEmailId(emailId)) + heldMs,
    isUnsettled: attempt.isUnsettled,
    now,
    jitter: Math.random(),
    speedup,
  });
  if (verdict.kind === "complaint") {
    const { feedbackType } = verdict;
    const complaint = { feedbackType, userAgent: null, reportedAt: event.at };
    return recordReport(env, team, message, recipientIndex, {
      type: "email.complained",
      at: now,
      complaint,
    });
  }
  const { record, nextAttemptAt, awaits } = verdict;
  const { providerId, sender } = event;
  const settlement: Settlement = {
    emailId,
    recipientIndex,
    attempt: attempt.attempt,
    nextAttemptAt,
    ...(awaits && { awaits }),
    // The attempt was found without the provider's id, so the id is stored now.
    ...(attempt.by === "address" && { copyTaken: { providerId, sender, recipient, at: now } }),
    verdict: { eventId: event.eventId },
    events: toEvents(emailId, record),
  };
  if (await settle(env, teamId, settlement, message)) return;
  const bounced = record.events.find(({ type }) => type === "email.bounced")?.bounce;
  if (event.kind !== "bounced" || !bounced) return noteIgnored(event, attempt);
  // The recipient already had a final outcome. The Email Service also reports a bounce after the
  // delivery.
  await recordReport(env, team, message, recipientIndex, {
    type: "email.bounced",
    at: now,
    bounce: bounced,
    suppress: record.suppress,
  });
}

/**
 * Settles the attempt. Returns false if the attempt already has its outcome, or if the event was
 * already applied.
 */
async function settle(
  env: Env,
  teamId: string,
  settlement: Settlement,
  message: MessageRecord,
): Promise<boolean> {
  const { applied, refused } = await objectOf(env, "TEAM_LEDGER", teamId).settle(
    [settlement],
    { [settlement.emailId]: message },
    Date.now(),
  );
  if (applied.length === 0) return false;
  logOutcomes(teamId, [settlement], new Set(refused));
  return true;
}

/**
 * Retries, after a wait, an event whose message is not found. Drops the event if it has waited too
 * long.
 */
function waitForMessage({ now, speedup }: Run, { message, event }: Received): void {
  const delaySeconds = retryUnmatched(now - message.timestamp.getTime(), message.attempts, speedup);
  if (delaySeconds !== null) return message.retry({ delaySeconds });
  logWarning("email_event_unmatched", { type: event.kind, provider_id: event.providerId });
  message.ack();
}

function noteIgnored(event: EmailServiceEvent, { teamId, emailId }: MatchedAttempt): void {
  logInfo("email_event_ignored", { type: event.kind, team_id: teamId, email_id: emailId });
}

function retryLater(message: Message): void {
  const delaySeconds = retryDelaySeconds(EVENT_WAITS, message.attempts);
  message.retry({ delaySeconds: spreadDelay(delaySeconds, Math.random()) });
}
