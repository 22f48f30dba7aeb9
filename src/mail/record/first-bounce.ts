// One bounce a recipient at most, the first to be recorded: a server's refusal in an attempt, or a report that came back (docs/decisions/0008). Which of
// them was first is kept with the message, so that it stays so through crashes and repetitions; whoever comes later finishes what the first began.
import { historyFor } from "../../db/client.ts";
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import type { EventRecord, MessageRecord } from "../../resources/events/records.ts";
import { findKept, insertHistory, keepFirstOfEach } from "../../resources/events/store.ts";
import { type AttemptsBounce, bounceName, type KeptBounce, recordReport } from "./report.ts";

interface Recipient {
  readonly message: MessageRecord;
  readonly recipientIndex: number;
}

/** The ids of those bounces among `events` before which another of their recipient was recorded. `messages`: those of the events. */
export async function laterBounces(
  env: Env,
  team: Team,
  messages: ReadonlyMap<string, MessageRecord>,
  events: readonly EventRecord[],
): Promise<ReadonlySet<string>> {
  const bounces = events.flatMap(({ id, type, emailId, recipient }) => {
    const message = messages.get(emailId);
    return message && type === "email.bounced" ? [{ id, message, recipientIndex: message.recipients.indexOf(recipient) }] : [];
  });
  if (bounces.length === 0) return new Set();
  const keeps = bounces.map(({ id, message, recipientIndex }) => {
    const own: AttemptsBounce = { event: id };
    return { emailId: message.emailId, name: bounceName(recipientIndex), facts: JSON.stringify(own) };
  });
  const { db } = historyFor(env, team);
  await insertHistory(
    db,
    bounces.map(({ message }) => message),
    [],
  );
  const first = (await keepFirstOfEach(db, keeps)).map(parse);
  const later = bounces.filter(({ id }, index) => isAnother(first[index], id));
  await Promise.all(bounces.map((bounce, index) => finish(env, team, bounce, first[index])));
  return new Set(later.map(({ id }) => id));
}

/** Which of the recipients have bounced, so that nothing is left to try. */
export async function findBounced(env: Env, team: Team, recipients: readonly Recipient[]): Promise<boolean[]> {
  const wanted = recipients.map(({ message, recipientIndex }) => ({ emailId: message.emailId, name: bounceName(recipientIndex) }));
  const first = (await findKept(historyFor(env, team).db, wanted)).map(parse);
  await Promise.all(recipients.map((recipient, index) => finish(env, team, recipient, first[index])));
  return first.map((kept) => kept !== undefined);
}

/** A report may have been kept and its recording broken off, and nobody need ever bring it again. An attempt's bounce is the ledger's to finish. */
async function finish(env: Env, team: Team, { message, recipientIndex }: Recipient, kept: KeptBounce | undefined): Promise<void> {
  if (kept && "type" in kept) await recordReport(env, team, message, recipientIndex, kept);
}

function isAnother(kept: KeptBounce | undefined, id: string): boolean {
  return kept !== undefined && !("event" in kept && kept.event === id);
}

function parse(kept: string | undefined): KeptBounce | undefined {
  return kept === undefined ? undefined : (JSON.parse(kept) as KeptBounce);
}
