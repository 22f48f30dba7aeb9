// Lists the messages that wait for their scheduled time (contract.md §Scheduled sends). Sorts them
// by acceptance, the last accepted first, or by scheduled time, the earliest first.
import type { ScheduledMessage, ScheduledPage, ScheduledRange } from "../../rpc/schedule-calls.ts";

const COLUMNS = "seq, id AS emailId, due_at AS scheduledAt, meta";
export const WAITING = `SELECT ${COLUMNS} FROM scheduled`;
/**
 * SQL clause that selects the messages of a campaign. The index leaves out the default stream,
 * which has the messages without a campaign.
 */
export const OF_CAMPAIGN = "FROM scheduled WHERE stream = ? AND stream <> ''";
export const SOONEST = "ORDER BY due_at, seq";
const AFTER_PLACE = "(due_at, seq) > (?, ?)";
/**
 * Maximum length in UTF-16 units of the messages in one result, which must fit into a call (32 MB).
 */
const PAGE_UNITS = 4 * 1_024 * 1_024;
/** Text that sorts after every message id. */
const AFTER_ALL_IDS = "email_~";

export interface WaitingMessageRow extends Record<string, SqlStorageValue> {
  seq: number;
  emailId: string;
  scheduledAt: number;
  meta: string;
}

/** Reads at most `limit` messages of a range, or fewer if they are large. */
export function listScheduledRows(
  sql: SqlStorage,
  range: ScheduledRange,
  limit: number,
): ScheduledPage {
  const messages: ScheduledMessage[] = [];
  let units = 0;
  let last: WaitingMessageRow | undefined;
  const end = (isMore: boolean): ScheduledPage => ({
    messages,
    isMore,
    ...(range.order === "soonest" &&
      last && { last: { scheduledAt: last.scheduledAt, number: last.seq } }),
  });
  for (const row of rowsOf(sql, range)) {
    units += row.meta.length;
    if (messages.length === limit || (messages.length > 0 && units > PAGE_UNITS)) return end(true);
    messages.push(waiting(row));
    last = row;
  }
  return end(false);
}

function rowsOf(sql: SqlStorage, range: ScheduledRange): Iterable<WaitingMessageRow> {
  if (range.order === "newest")
    return sql.exec<WaitingMessageRow>(
      `${WAITING} WHERE id < ? ORDER BY id DESC`,
      range.before ?? AFTER_ALL_IDS,
    );
  const { campaign, after } = range;
  const place = [after?.scheduledAt ?? 0, after?.number ?? 0];
  return campaign === null
    ? sql.exec<WaitingMessageRow>(`${WAITING} WHERE ${AFTER_PLACE} ${SOONEST}`, ...place)
    : sql.exec<WaitingMessageRow>(
        `SELECT ${COLUMNS} ${OF_CAMPAIGN} AND ${AFTER_PLACE} ${SOONEST}`,
        campaign,
        ...place,
      );
}

export function waiting({ emailId, meta, scheduledAt }: WaitingMessageRow): ScheduledMessage {
  return { emailId, meta, scheduledAt, canceledAt: null };
}
