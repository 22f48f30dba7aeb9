// Finds the content of a message for a caller that may read it (contract.md §Kept content). The
// content is in the ledger while the message is open or scheduled, and then in R2 for as long as
// the team keeps it.
import { contentDaysOf } from "../../content-days.ts";
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { timeOfUuidv7, uuidOfEmailId } from "../../lib/ids.ts";
import { DAY_MS } from "../../limits.ts";
import { reachLedger } from "../../resources/team-settings/reach-ledger.ts";
import { refuse } from "../../refusal.ts";
import { findChunkedMessage } from "../../resources/events/chunked-message.ts";
import type { WholeMessage } from "../../resources/sent-content/sent-form.ts";
import { findSent } from "../../resources/sent-content/sent-objects.ts";
import { recordStart } from "../../rpc/event-records.ts";
import type { ClaimedMessage } from "../../rpc/ledger-calls.ts";
import type { MessageWithContent } from "../../rpc/message-list-calls.ts";
import { settingsOf } from "../../settings.ts";
import type { Message } from "../message.ts";
import { readStoredMessage } from "../message-start.ts";
import { messageInLedger } from "../record/find-message.ts";
import type { StoredContent } from "../stored-content.ts";

export interface ReadableContent {
  readonly message: Message;
  readonly content: StoredContent;
  /** The time until which the content is shown, in Unix milliseconds. */
  readonly keptUntil: number;
}

/**
 * Returns the content of a team's message. Throws `not_found` if the team has no such message, and
 * `content_not_kept` if its content can't be read.
 */
export async function findContent(
  env: Env,
  team: Team,
  id: string,
  now: number,
): Promise<ReadableContent> {
  const uuid = uuidOfEmailId(id);
  if (uuid === undefined) throw refuse("not_found");
  const found = await reachLedger(env, team, (ledger) => ledger.findWithContent(id));
  const startsAt = await startOfMessage(env, team, { id, uuid }, found, now);
  const days = contentDaysOf(team, settingsOf(env).content);
  if (days === 0) throw refuse("content_not_kept", { reason: "unwanted" });
  const longest = startsAt + days * DAY_MS;
  if (found.content) return inLedger(env, found.content, longest, now);
  if (found.scheduled) throw refuse("content_not_kept", { reason: "canceled" });
  if (longest <= now) throw refuse("content_not_kept", { reason: "expired", until: longest });
  const name = { teamId: team.id, emailId: id, startsAt };
  const object = await findSent(env.CONTENT, name, days);
  if (!object) throw refuse("content_not_kept", { reason: "absent" });
  const keptUntil = startsAt + Math.min(days, object.days) * DAY_MS;
  if (keptUntil <= now) throw refuse("content_not_kept", { reason: "expired", until: keptUntil });
  return { ...toFound(object.kept), keptUntil };
}

async function startOfMessage(
  env: Env,
  team: Team,
  { id, uuid }: { readonly id: string; readonly uuid: string },
  { content, scheduled, ...found }: MessageWithContent,
  now: number,
): Promise<number> {
  if (content) return content.startsAt;
  if (scheduled) return scheduled.scheduledAt;
  const record = messageInLedger(found) ?? (await findChunkedMessage(env, team, id, now));
  const isPast = timeOfUuidv7(uuid) < now - team.eventRetentionDays * DAY_MS;
  if (!record || (isPast && !record.scheduledAt)) throw refuse("not_found");
  return recordStart(record);
}

async function inLedger(
  env: Env,
  stored: ClaimedMessage,
  keptUntil: number,
  now: number,
): Promise<ReadableContent> {
  const message = readStoredMessage(stored.meta, stored.startsAt);
  if (message.sensitive) throw refuse("content_not_kept", { reason: "sensitive" });
  if (keptUntil <= now) throw refuse("content_not_kept", { reason: "expired", until: keptUntil });
  const content = stored.content ?? (await readR2(env, stored.contentKey));
  if (content === null) throw refuse("content_not_kept", { reason: "absent" });
  return { message, content, keptUntil };
}

async function readR2(env: Env, key: string | null): Promise<StoredContent | null> {
  const object = key === null ? null : await env.CONTENT.get(key);
  return object && new Uint8Array(await object.arrayBuffer());
}

function toFound({ meta, startsAt, content }: WholeMessage): Omit<ReadableContent, "keptUntil"> {
  return { message: readStoredMessage(meta, startsAt), content };
}
