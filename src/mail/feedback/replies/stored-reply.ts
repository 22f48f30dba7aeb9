// Reads stored replies from R2: their content, their files and the raw mail (docs/storage.md
// §Replies). A mail is scanned while it streams through, so only its text is in memory.
import { Buffer } from "node:buffer";
import type { Scope } from "../../../db/client.ts";
import type { Env } from "../../../env.ts";
import { refuse } from "../../../refusal.ts";
import { getReply, type ReplyRow } from "../../../resources/replies/store.ts";
import { valueOf } from "../report-fields.ts";
import { decodeOctets, octetsOf } from "../part-text.ts";
import { PartScanner } from "./part-scanner.ts";
import { filesOf, readReplyContent, type ReplyContent, type ReplyFile } from "./reply-content.ts";

export interface StoredReply {
  readonly row: ReplyRow;
  readonly content: ReplyContent;
  readonly headers: Readonly<Record<string, string>>;
}

export async function readStoredReply(
  env: Env,
  scope: Scope,
  id: string,
  now: number,
): Promise<StoredReply> {
  const row = await getReply(scope, id, now);
  const { header = [], parts } = await scanRaw(env, row);
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const { name, value } of header) headers[name] ??= decodeOctets(value);
  return { row, content: readReplyContent(parts), headers };
}

/** Returns the file with this number. Undefined means that the reply has no such file. */
export async function readReplyFile(
  env: Env,
  scope: Scope,
  id: string,
  index: number,
  now: number,
): Promise<{ readonly file: ReplyFile; readonly bytes: Uint8Array<ArrayBuffer> } | undefined> {
  const row = await getReply(scope, id, now);
  if (row.facts.attachments[index] === undefined) return undefined;
  const { parts } = await scanRaw(env, row);
  const file = filesOf(parts)[index];
  if (!file) return undefined;
  const { start, end } = file.part;
  const range = { offset: start, length: end - start };
  const object = end > start ? await env.CONTENT.get(row.facts.rawKey, { range }) : null;
  const body = object ? new Uint8Array(await object.arrayBuffer()) : new Uint8Array();
  return { file, bytes: decodeFile(file, body) };
}

export async function getRaw(env: Env, { facts }: ReplyRow): Promise<R2ObjectBody> {
  const object = await env.CONTENT.get(facts.rawKey);
  if (!object) throw refuse("not_found");
  return object;
}

async function scanRaw(env: Env, row: ReplyRow): Promise<PartScanner> {
  const scanner = new PartScanner();
  for await (const chunk of (await getRaw(env, row)).body) scanner.feed(chunk as Uint8Array);
  scanner.finish();
  return scanner;
}

function decodeFile({ part }: ReplyFile, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const encoding = (valueOf(part.fields, "content-transfer-encoding") ?? "").trim().toLowerCase();
  if (encoding !== "base64" && encoding !== "quoted-printable") return Uint8Array.from(body);
  const lines = Buffer.from(body).toString("latin1").split(/\r?\n/);
  return Uint8Array.from(Buffer.from(octetsOf({ ...part, lines }), "latin1"));
}
