// Reads a team's history while it is being moved to another shard (docs/scaling.md §Moving a team): for a while the new shard lacks what the former
// one still has, and isolates that know only that one go on writing to it. So what is missing here is looked for there, and what may happen once is
// decided there first and here after it. Without a move each of these asks the one shard.
import { type HistoryScope, readShown } from "../../db/client.ts";
import type { MessageRecord } from "./records.ts";
import { findKept, findMessage, insertHistory, type Kept, keepFirst, keepFirstOfEach } from "./store.ts";

/** findMessage() of the team's history. */
export async function findMessageOf(history: HistoryScope, emailId: string): Promise<MessageRecord | undefined> {
  const { former } = history;
  return (await readShown(history, (db) => findMessage(db, emailId))) ?? (former && (await findMessage(former, emailId)));
}

/** keepFirst() of the team's history. */
export async function keepFirstOf(
  { db, former }: HistoryScope,
  message: MessageRecord,
  name: string,
  facts: string,
): Promise<string | undefined> {
  if (!former) return keepFirst(db, message.emailId, name, facts);
  for (const shard of [former, db]) await insertHistory(shard, [message], []);
  const first = (await keepFirst(former, message.emailId, name, facts)) ?? facts;
  return keepFirst(db, message.emailId, name, first);
}

/** keepFirstOfEach() of the team's history, for messages that it has or, by `messages`, gets. */
export async function keepFirstOfEachOf(
  { db, former }: HistoryScope,
  messages: readonly MessageRecord[],
  keeps: readonly Kept[],
): Promise<(string | undefined)[]> {
  await insertHistory(db, messages, []);
  if (!former) return keepFirstOfEach(db, keeps);
  await insertHistory(former, messages, []);
  const first = await keepFirstOfEach(former, keeps);
  return keepFirstOfEach(
    db,
    keeps.map((keep, index) => ({ ...keep, facts: first[index] ?? keep.facts })),
  );
}

/** findKept() of the team's history. */
export async function findKeptOf({ db, former }: HistoryScope, wanted: readonly Omit<Kept, "facts">[]): Promise<(string | undefined)[]> {
  if (!former) return findKept(db, wanted);
  const [here, there] = await Promise.all([findKept(db, wanted), findKept(former, wanted)]);
  return wanted.map((_, index) => there[index] ?? here[index]);
}
