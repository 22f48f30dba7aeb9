// Turns the body of a Resend send into the body of a Postern send (docs/from-resend.md §Sending).
// Only names and shapes change here. Postern's validation judges the values. A list or map over its
// limit is not rebuilt but stays as it is, so that validation refuses it.
import { Buffer } from "node:buffer";
import { isJsonObject } from "../../lib/json.ts";
import {
  ATTACHMENTS_PER_SEND,
  EMAILS_PER_BATCH,
  METADATA_PAIRS,
  RECIPIENTS_PER_SEND,
} from "../../limits.ts";
import type { JsonObject } from "../../mail/accept/fields.ts";
import { ownId } from "./bare-ids.ts";
import { type Ignore, membersGiven } from "./resend-endpoint.ts";
import { fieldsOf, withDecodedName } from "./sent-fields.ts";
import { spokenTime } from "./spoken-time.ts";

const CALENDAR_TYPE = /^\s*text\/calendar\s*(?:;|$)/i;
const CALENDAR_NAME = /\.ics\s*$/i;
/** The start of an iCalendar text (RFC 5545 §3.4). */
const CALENDAR_START = /^\ufeff?\s*BEGIN:VCALENDAR\s/i;

/** Resend's names of a send's members, by Postern's names. */
export const SEND_NAMES = {
  emails: "body",
  metadata: "tags",
  template_id: "template.id",
  variables: "template.variables",
  topic: "topic_id",
} as const;

/** The members of a Resend send, and then Postern's own members that such a send may also have. */
const MEMBERS: ReadonlySet<string> = new Set(
  (
    "from to cc bcc reply_to subject html text headers attachments tags template topic_id " +
    "scheduled_at tracking unsubscribe variables campaign ip_pool priority"
  ).split(" "),
);
const TEMPLATE: ReadonlySet<string> = new Set(["id", "variables"]);
const ATTACHMENT: ReadonlySet<string> = new Set([
  "filename",
  "content",
  "path",
  "content_type",
  "content_id",
  "inline_content_id",
]);
/** Members that some client libraries send as empty texts if the caller does not give them. */
const OFTEN_EMPTY = ["cc", "bcc", "reply_to"] as const;
/** Members that some client libraries send as empty texts beside a template. */
const EMPTY_BESIDE_TEMPLATE = ["from", "subject", "html", "text"] as const;

/** Returns the messages of a batch as Postern's sends. */
export function toOwnSends(body: unknown, now: number, ignore: Ignore): unknown {
  return mapWithin(EMAILS_PER_BATCH, body, (one, index) =>
    toOwnSend(one, now, ignore, ["emails", String(index)]),
  );
}

/**
 * Returns the body of the Postern send. A value of the wrong shape stays as it is, so that
 * validation refuses it. `place`: the path of the message in a batch.
 */
export function toOwnSend(
  input: unknown,
  now: number,
  ignore: Ignore,
  place: readonly string[] = [],
): unknown {
  if (!isJsonObject(input)) return input;
  const given = membersGiven(input, MEMBERS, ignore, place);
  const { tags, template, topic_id, scheduled_at, attachments, ...same } = withoutEmpty(given);
  const mailboxes = (value: unknown) => mapWithin(RECIPIENTS_PER_SEND, value, withDecodedName);
  const own = {
    ...same,
    from: withDecodedName(same["from"]),
    to: mailboxes(listOf(same["to"])),
    cc: mailboxes(listOf(same["cc"])),
    bcc: mailboxes(listOf(same["bcc"])),
    reply_to: mailboxes(withDecodedName(same["reply_to"])),
    headers: fieldsOf(same["headers"]),
    metadata: metadataOf(tags),
    topic: topic_id,
    scheduled_at: typeof scheduled_at === "string" ? timeOf(scheduled_at, now) : scheduled_at,
    attachments: mapWithin(ATTACHMENTS_PER_SEND, attachments, (one, index) =>
      toOwnAttachment(one, ignore, [...place, "attachments", String(index)]),
    ),
    ...(isJsonObject(template)
      ? templateOf(membersGiven(template, TEMPLATE, ignore, [...place, "template"]))
      : { template_id: template }),
  };
  return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
}

/**
 * Turns a time in words into ISO 8601. Any other text stays as it is, so that validation judges it.
 */
export function timeOf(text: string, now: number): string {
  const spoken = spokenTime(text, now);
  return spoken === undefined ? text : new Date(spoken).toISOString();
}

/**
 * Leaves out the members that a client library writes without a value: an empty text, or an empty
 * list as a template.
 */
function withoutEmpty(given: JsonObject): JsonObject {
  const { template } = given;
  const isTemplated = template !== undefined && !isEmptyList(template);
  const empty = new Set<string>(OFTEN_EMPTY);
  if (isTemplated) for (const name of EMPTY_BESIDE_TEMPLATE) empty.add(name);
  return Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) =>
        !(value === "" && empty.has(name)) && !(name === "template" && !isTemplated),
    ),
  );
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function listOf(value: unknown): unknown {
  return typeof value === "string" ? [value] : value;
}

/** Changes the entries of a list that is within its limit. Any other value stays as it is. */
function mapWithin(
  limit: number,
  value: unknown,
  change: (entry: unknown, index: number) => unknown,
): unknown {
  return Array.isArray(value) && value.length <= limit ? value.map(change) : value;
}

/**
 * Returns the tags as a map. Of two tags with the same name, the last counts. Stops at one more
 * than the maximum number of pairs.
 */
function metadataOf(tags: unknown): unknown {
  if (!Array.isArray(tags)) return tags;
  const pairs = new Map<string, unknown>();
  for (const tag of tags as readonly unknown[]) {
    const name = isJsonObject(tag) ? tag["name"] : undefined;
    if (!isJsonObject(tag) || typeof name !== "string") return tags;
    if (tag["value"] !== null) pairs.set(name, tag["value"]);
    if (pairs.size > METADATA_PAIRS) break;
  }
  return Object.fromEntries(pairs);
}

function templateOf({ id = "", variables }: JsonObject): JsonObject {
  return { template_id: typeof id === "string" ? ownId("template", id) : id, variables };
}

/**
 * Converts an attachment. Some client libraries send a file's bytes as an array of numbers, or as a
 * Buffer's JSON. `inline_content_id` is an older name of `content_id`.
 */
function toOwnAttachment(input: unknown, ignore: Ignore, place: readonly string[]): unknown {
  if (!isJsonObject(input)) return input;
  const { content, inline_content_id, ...same } = membersGiven(input, ATTACHMENT, ignore, place);
  const bytes = isJsonObject(content) ? content["data"] : content;
  return {
    ...(inline_content_id !== undefined && { content_id: inline_content_id }),
    ...same,
    filename: same["filename"] || nameInPath(same["path"]),
    ...(content !== undefined && {
      content: isBytes(bytes) || isCalendarText(bytes, same) ? base64Of(bytes) : content,
    }),
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

/**
 * Tells whether the content is the text of a calendar, as Laravel sends it. The text has a colon,
 * so it is never base64.
 */
function isCalendarText(
  content: unknown,
  { content_type: type, filename }: JsonObject,
): content is string {
  const isCalendar = CALENDAR_TYPE.test(String(type)) || CALENDAR_NAME.test(String(filename));
  return isCalendar && typeof content === "string" && CALENDAR_START.test(content);
}

/** Returns the base64 of the bytes, or of a text in UTF-8. */
function base64Of(bytes: readonly number[] | string): string {
  return Buffer.from(bytes as string).toString("base64");
}
