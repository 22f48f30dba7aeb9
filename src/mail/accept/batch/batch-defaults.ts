// Merges the entries of a batch with the defaults that they share (contract.md §Batch). Sanitises
// each default once, and not for each of 100 entries, so that a large default costs no more than a
// large entry. Pure.
import type * as z from "zod";
import { isJsonObject } from "../../../lib/json.ts";
import {
  CUSTOM_HEADER_VALUE_CHARACTERS,
  RECIPIENTS_PER_SEND,
  SUBJECT_CHARACTERS,
  TAGS_PER_SEND,
} from "../../../limits.ts";
import type { StoredAttachment } from "../../message.ts";
import { readAttachments } from "../attachments.ts";
import { toHeaderLine, selectHeaders } from "../custom-headers.ts";
import type { FieldProblems } from "../field-problems.ts";
import { type JsonObject, readMap } from "../fields.ts";
import { readMetadata } from "../metadata.ts";
import { toOneLine } from "../sanitize.ts";
import { readVariables } from "../variables.ts";
import type { EmailBatchDefaults } from "../wire.ts";

export interface Defaults {
  /** Members with a single value. The value in an entry replaces the default. */
  readonly values: JsonObject;
  /** Members that are maps. Each key in an entry replaces the same key of the default. */
  readonly maps: readonly (readonly [name: string, members: JsonObject])[];
  /**
   * Members that are lists. The items of the defaults come before the items of an entry. `cap` is
   * the maximum number of items in a send.
   */
  readonly lists: readonly (readonly [name: string, entries: readonly unknown[], cap: number])[];
  /** Attachments of the defaults, already read. They come before the attachments of an entry. */
  readonly attachments: readonly StoredAttachment[];
  /**
   * The default IP pool. If the team does not have this pool, each entry that names no other pool
   * fails, and not the batch (contract.md §Batch).
   */
  readonly ipPool: string | undefined;
}

interface Kind {
  readonly problem: string;
  readonly fits: (value: unknown) => boolean;
}

const STRING: Kind = { problem: "must be a string", fits: (value) => typeof value === "string" };
const BOOLEAN: Kind = {
  problem: "must be a boolean",
  fits: (value) => typeof value === "boolean",
};
const LIST: Kind = { problem: "must be an array", fits: Array.isArray };
const MAP: Kind = { problem: "must be an object", fits: isJsonObject };
const STRING_OR_LIST: Kind = {
  problem: "must be a string or an array of strings",
  fits: (value) => STRING.fits(value) || LIST.fits(value),
};

const KINDS: Readonly<Record<keyof z.output<typeof EmailBatchDefaults>, Kind>> = {
  from: STRING,
  subject: STRING,
  text: STRING,
  html: STRING,
  reply_to: STRING_OR_LIST,
  headers: MAP,
  cc: LIST,
  bcc: LIST,
  attachments: LIST,
  tags: LIST,
  ip_pool: STRING,
  priority: STRING,
  sensitive: BOOLEAN,
  reply_tracking: BOOLEAN,
  template_id: STRING,
  campaign: STRING,
  topic: STRING,
  tracking: MAP,
  unsubscribe: MAP,
  variables: MAP,
  metadata: MAP,
  scheduled_at: STRING,
};

/** The members that are not merged like a single value. */
const APART = new Set("ip_pool headers variables metadata cc bcc tags attachments".split(" "));

/**
 * Reads the `defaults` of a batch. Returns undefined if it added an error to `problems`. Reports
 * values of a wrong type, and errors that concern all entries: unreadable attachments, and
 * variables and metadata over their limits. The validation of each entry checks all other values.
 */
export function readDefaults(input: JsonObject, problems: FieldProblems): Defaults | undefined {
  const before = problems.count;
  const given = readMap(input, "defaults", problems);
  const within = problems.under("defaults");
  for (const [name, { fits, problem }] of Object.entries(KINDS)) {
    if (given[name] !== undefined && !fits(given[name])) within.invalid(name, problem);
  }
  if (problems.count > before) return undefined;

  const attachments = readAttachments(given, within);
  const variables = readVariables(given, within);
  const metadata = readMetadata(given, within) ?? {};
  if (problems.count > before) return undefined;
  return {
    values: valuesOf(given),
    maps: mapsOf(given, { variables, metadata }),
    lists: listsOf(given),
    attachments,
    ipPool: given["ip_pool"] as string | undefined,
  };
}

/**
 * Merges an entry with the defaults, except for their attachments and IP pool. Does not drop
 * members of a wrong type, so that the validation of the entry reports them.
 */
export function mergeEntry(entry: JsonObject, { values, maps, lists }: Defaults): JsonObject {
  const merged: Record<string, unknown> = { ...values, ...entry };
  for (const [name, shared] of maps) {
    const own = entry[name];
    if (own === undefined) merged[name] = shared;
    else if (isJsonObject(own))
      merged[name] = { ...shared, ...(name === "variables" ? own : withoutNulls(own)) };
  }
  for (const [name, shared, cap] of lists) {
    const own = entry[name];
    // A list of the defaults that is over the cap is not merged with each entry's list, because
    // every entry is refused anyway.
    if (own === undefined || (shared.length > cap && Array.isArray(own))) merged[name] = shared;
    else if (Array.isArray(own)) merged[name] = [...shared, ...(own as readonly unknown[])];
  }
  return merged;
}

/**
 * Drops the members that are null. A header or a pair of metadata that is null counts as not given.
 * Variables keep null, which is a value there.
 */
function withoutNulls(map: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(map).filter(([, value]) => value !== null));
}

function valuesOf(given: JsonObject): JsonObject {
  const values = Object.fromEntries(Object.entries(given).filter(([name]) => !APART.has(name)));
  const { subject } = values;
  // A subject with this many UTF-16 units is over the limit in any case, so further units are cut
  // off.
  return typeof subject === "string"
    ? { ...values, subject: toOneLine(subject).slice(0, 2 * SUBJECT_CHARACTERS + 1) }
    : values;
}

function mapsOf(
  given: JsonObject,
  checked: Readonly<Record<"variables" | "metadata", JsonObject>>,
): Defaults["maps"] {
  const headers = selectHeaders(
    given["headers"] === undefined ? {} : (given["headers"] as JsonObject),
  ).map(([name, value]) => [
    name,
    typeof value === "string"
      ? toHeaderLine(value).slice(0, CUSTOM_HEADER_VALUE_CHARACTERS + 1)
      : value,
  ]);
  const maps: Defaults["maps"] = [
    ["headers", Object.fromEntries(headers) as JsonObject],
    ...Object.entries(checked),
  ];
  return maps.filter(([, members]) => Object.keys(members).length > 0);
}

function listsOf(given: JsonObject): Defaults["lists"] {
  const listOf = (name: string): readonly unknown[] => (given[name] ?? []) as readonly unknown[];
  const lists: Defaults["lists"] = [
    ["cc", listOf("cc"), RECIPIENTS_PER_SEND],
    ["bcc", listOf("bcc"), RECIPIENTS_PER_SEND],
    ["tags", [...new Set(listOf("tags"))], TAGS_PER_SEND],
  ];
  return lists.filter(([, entries]) => entries.length > 0);
}
