// Receives replies (contract.md §Replies), from the gateway and from Email Routing. A reply is
// accepted when its raw mail, its row and the outboxes of its webhooks are on disk. A repetition
// changes nothing, because the names of all these come from the token and the Message-ID.
import { createHash } from "node:crypto";
import { repliesOf, type Scope } from "../../../db/client.ts";
import { dayOf } from "../../../db/days.ts";
import type { Team } from "../../../endpoint.ts";
import type { Env } from "../../../env.ts";
import { crashPoint } from "../../../lib/crash-point.ts";
import { timeOfEmailId, uuidv7Of } from "../../../lib/ids.ts";
import { logInfo } from "../../../lib/log.ts";
import { mailboxText } from "../../../lib/mime/mailbox-header.ts";
import {
  REPLIES_PER_ADDRESS_AND_DAY,
  REPLY_ADDRESS_LIFETIME_MS,
  REPLY_BYTES,
  REPLY_BYTES_PER_TEAM,
  REPLY_HEADER_BYTES,
  REPLY_UNSEEN_MS,
} from "../../../limits.ts";
import { findReply, getReply, insertReply, measureLoad } from "../../../resources/replies/store.ts";
import { NOT_CHECKED } from "../../../resources/replies/reply-records.ts";
import { teamByNumber } from "../../../resources/team-settings/team-cache.ts";
import { fanOutReply } from "../../../resources/webhooks/fan-out.ts";
import { settingsOf } from "../../../settings.ts";
import { earliestRelease } from "../../recipient-ref.ts";
import { replyTokenIn } from "../../reply-address.ts";
import { readReplyToken, type ReplyToken } from "../../reply-token.ts";
import { findNamedMessage } from "../named-message.ts";
import { type Field, valueOf } from "../report-fields.ts";
import { type IncomingReply, openMail, type OpenedMail, storeRaw } from "./reply-store.ts";
import { readReplyFacts } from "./reply-facts.ts";

/**
 * Result of receiving a reply. `full` means that the address or its team takes no more replies now.
 * `problem` is the rest of a sentence that begins with "the message".
 */
export type ReplyReceipt =
  | { readonly kind: "taken" | "unknown" | "full" | "too_large" }
  | { readonly kind: "refused"; readonly problem: string };

/** A reply address with a genuine token. `full` means that it takes no new reply now. */
interface KnownAddress {
  readonly kind: "open" | "full";
  readonly token: ReplyToken;
  readonly team: Team;
  readonly scope: Scope;
}

const ID_PREFIX = "reply_";
const OUTBOX_TIMEOUT_MS = 20_000;
/**
 * Matches fields that servers add on the way, so that they differ when a mail is delivered twice.
 */
const TRACE =
  /^(?:received|return-path|delivered-to|x-|arc-|authentication-results|dkim-signature)/;

/**
 * Judges the token of a reply address for a mail of `bytes` bytes, before any of the mail is read.
 */
export async function judgeReplyAddress(
  env: Env,
  text: string,
  bytes: number,
  now: number,
): Promise<KnownAddress | { readonly kind: "unknown" }> {
  const token = await readReplyToken(settingsOf(env).signingKey, text);
  if (!token || now - earliestRelease(token.ref) > REPLY_ADDRESS_LIFETIME_MS)
    return { kind: "unknown" };
  const { teamNumber, emailId, recipientIndex } = token.ref;
  const team = await teamByNumber(env, teamNumber, now);
  if (!team) return { kind: "unknown" };
  const scope = repliesOf(env, team);
  const load = await measureLoad(scope, emailId, recipientIndex, now);
  const isFull =
    load.ofAddress >= REPLIES_PER_ADDRESS_AND_DAY || load.bytes + bytes > REPLY_BYTES_PER_TEAM;
  return { kind: isFull ? "full" : "open", token, team, scope };
}

/**
 * Receives a reply. Throws if the reply cannot be stored or reported to webhooks now. The caller
 * then submits it again.
 */
export async function receiveReply(
  env: Env,
  tokenText: string,
  mail: IncomingReply,
  now: number,
): Promise<ReplyReceipt> {
  if (mail.bytes > REPLY_BYTES) return { kind: "too_large" };
  const address = await judgeReplyAddress(env, tokenText, mail.bytes, now);
  if (address.kind === "unknown") return address;
  const opened = await openMail(mail.stream, mail.bytes);
  if (!opened)
    return { kind: "refused", problem: `has a header of more than ${REPLY_HEADER_BYTES} bytes` };
  const id = replyIdOf(address.token, opened.scanner.header ?? []);
  // A full address may get its last reply a second time. The first time, that reply may not have
  // been reported to webhooks.
  if (address.kind === "full" && !(await findReply(address.scope, id, now))) {
    await opened.rest.cancel();
    return { kind: "full" };
  }
  return store(env, { ...address, id }, opened, mail, now);
}

async function store(
  env: Env,
  { token, team, scope, id }: KnownAddress & { readonly id: string },
  opened: OpenedMail,
  mail: IncomingReply,
  now: number,
): Promise<ReplyReceipt> {
  const message = await findNamedMessage(env, team, token.ref, now);
  // The message itself came back, for example because of a rule that forwards all mail.
  if (message && valueOf(opened.scanner.header ?? [], "message-id") === message.messageId) {
    await opened.rest.cancel();
    return { kind: "refused", problem: "came back to its own reply address: a mail loop" };
  }
  const rawKey = `replies/${dayOf(now + REPLY_UNSEEN_MS)}/${team.id}/${id}`;
  await storeRaw(env, rawKey, opened);
  await crashPoint(env.CRASH_POINT_URL, "reply_after_raw");
  const { text, ...facts } = await readReplyFacts(env, token, message, opened.scanner, mail);
  await insertReply(scope, {
    ...facts,
    id,
    facts: { ...facts.facts, rawKey },
    createdAt: now,
    expiresAt: now + REPLY_UNSEEN_MS,
  });
  await crashPoint(env.CRASH_POINT_URL, "reply_after_row");
  const row = await getReply(scope, id, now);
  if (row.facts.rawKey !== rawKey) await env.CONTENT.delete(rawKey);
  const { fromEmail, fromName } = row;
  const from = fromEmail === null ? null : mailboxText({ email: fromEmail, name: fromName });
  await fanOutReply(
    env,
    team.id,
    { ...row, from, text, receivedAt: row.createdAt, received: row.facts },
    OUTBOX_TIMEOUT_MS,
  );
  logInfo("reply_taken", { team_id: team.id, email_id: row.emailId, reply_id: id, auto: row.auto });
  return { kind: "taken" };
}

/**
 * Makes a reply's id from its token and its Message-ID or, without a Message-ID, from its other
 * fields. The time in the id is that of the message.
 */
function replyIdOf({ ref }: ReplyToken, header: readonly Field[]): string {
  const named = valueOf(header, "message-id") ?? "";
  const written = header.filter(({ name }) => !TRACE.test(name));
  const facts = [ref.emailId, ref.recipientIndex, named === "" ? written : named];
  const hash = createHash("sha256").update(JSON.stringify(facts)).digest();
  const at = timeOfEmailId(ref.emailId);
  return ID_PREFIX + uuidv7Of(at, hash.subarray(0, 16));
}

/** Receives the reply of a simulated reader (docs/simulator.md). */
export async function receiveSimulatedReply(
  env: Env,
  { address, raw }: { readonly address: string; readonly raw: Uint8Array<ArrayBuffer> },
  now: number,
): Promise<ReplyReceipt> {
  const mail = {
    stream: new Blob([raw]).stream(),
    bytes: raw.length,
    address,
    isSenderNull: false,
    verdicts: NOT_CHECKED,
  };
  return receiveReply(env, replyTokenIn(address) ?? "", mail, now);
}
