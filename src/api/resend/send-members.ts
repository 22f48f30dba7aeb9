// Turns the body of a Resend send into the body of a Postern send (docs/from-resend.md §Sending).
// Only names and shapes change here. Postern's validation judges the values. Unknown members stay,
// so that X-Ignored-Members names them.
import { Buffer } from "node:buffer";
import { isJsonObject } from "../../lib/json.ts";
import type { JsonObject } from "../../mail/accept/fields.ts";
import { ownId } from "./bare-ids.ts";
import { membersGiven } from "./resend-endpoint.ts";
import { spokenTime } from "./spoken-time.ts";

/** Postern's names of a send's members → Resend's names. */
export const SEND_NAMES = {
  emails: "body",
  metadata: "tags",
  template_id: "template.id",
  variables: "template.variables",
  topic: "topic_id",
} as const;

/**
 * Returns the body of the Postern send. A value of the wrong shape stays, so that validation
 * refuses it.
 */
export function toOwnSend(input: unknown, now: number): unknown {
  if (!isJsonObject(input)) return input;
  const { to, cc, bcc, tags, template, topic_id, scheduled_at, attachments, ...same } =
    membersGiven(input);
  return membersGiven({
    ...same,
    to: listOf(to),
    cc: listOf(cc),
    bcc: listOf(bcc),
    metadata: isPairs(tags) ? pairsAsMap(tags) : tags,
    topic: topic_id,
    scheduled_at: typeof scheduled_at === "string" ? timeOf(scheduled_at, now) : scheduled_at,
    attachments: Array.isArray(attachments) ? attachments.map(toOwnAttachment) : attachments,
    ...(isJsonObject(template) ? templateOf(template) : { template_id: template }),
  });
}

/** Turns a time in words into ISO 8601. Any other text stays, so that validation judges it. */
export function timeOf(text: string, now: number): string {
  const spoken = spokenTime(text, now);
  return spoken === undefined ? text : new Date(spoken).toISOString();
}

function listOf(value: unknown): unknown {
  return typeof value === "string" ? [value] : value;
}

interface Pair {
  readonly name: string;
  readonly value: unknown;
}

function isPairs(tags: unknown): tags is readonly Pair[] {
  return (
    Array.isArray(tags) && tags.every((tag) => isJsonObject(tag) && typeof tag["name"] === "string")
  );
}

/** The last of two tags with the same name counts. */
function pairsAsMap(pairs: readonly Pair[]): JsonObject {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}

function templateOf({ id = "", variables }: JsonObject): JsonObject {
  return { template_id: typeof id === "string" ? ownId("template", id) : id, variables };
}

/**
 * Some client libraries send a file's bytes as an array of numbers, or as a Buffer's JSON.
 * `inline_content_id` is an older name of `content_id`.
 */
function toOwnAttachment(input: unknown): unknown {
  if (!isJsonObject(input)) return input;
  const { content, inline_content_id, ...same } = membersGiven(input);
  const bytes = isJsonObject(content) ? content["data"] : content;
  return {
    ...(inline_content_id !== undefined && { content_id: inline_content_id }),
    ...same,
    filename: same["filename"] || nameInPath(same["path"]),
    ...(content !== undefined && { content: isBytes(bytes) ? base64Of(bytes) : content }),
  };
}

function nameInPath(path: unknown): string {
  const [place = ""] = typeof path === "string" ? path.split(/[?#]/, 1) : [];
  return place.split("/").findLast((part) => part !== "") ?? "attachment";
}

function isBytes(value: unknown): value is readonly number[] {
  return (
    Array.isArray(value) &&
    value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255)
  );
}

function base64Of(bytes: readonly number[]): string {
  return Buffer.from(bytes).toString("base64");
}
