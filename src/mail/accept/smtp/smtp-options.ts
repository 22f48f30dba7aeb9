// Reads the options of a send from the headers of a submitted message (contract.md §Option
// headers), as the members of an API request. Then the rules of the API check them, with the same
// errors. Pure.
import { givenMembers } from "../../../lib/members/given-members.ts";
import { decodeWords } from "../../../lib/mime/decode-words.ts";
import { BODY_DEPTH, parseJson } from "../../../lib/json.ts";
import { refuse } from "../../../refusal.ts";
import type { FieldProblems } from "../field-problems.ts";
import { type JsonObject, readMembers } from "../fields.ts";
import { type HeaderField, valuesOf } from "./header-section.ts";
import { readSendOptions, type MessageOptions } from "../send-options.ts";
import { EmailSendRequest, SingleFields } from "../wire.ts";

export const IDEMPOTENCY_KEY = "x-service-idempotency-key";

const OptionFields = SingleFields.pick({
  template_id: true,
  tracking: true,
  campaign: true,
  ip_pool: true,
  priority: true,
  sensitive: true,
  reply_tracking: true,
  topic: true,
  unsubscribe: true,
});

const TRACKED: ReadonlySet<string> = new Set(["opens", "clicks"]);
const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ["on", true],
  ["off", false],
]);
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...SWITCHES,
  ["true", true],
  ["false", false],
]);

/**
 * Returns the value of X-Service-Idempotency-Key. Null means that the message has no such field.
 * Throws `malformed` if the message has two such fields.
 */
export function idempotencyKeyOf(fields: readonly HeaderField[]): string | null {
  const [key, ...others] = optionsNamed(fields, IDEMPOTENCY_KEY);
  if (others.length > 0)
    throw refuse("malformed", { errors: { idempotency_key: ["is given more than once"] } });
  return key ?? null;
}

export function readOptions(
  fields: readonly HeaderField[],
  ipPools: readonly string[],
  problems: FieldProblems,
): MessageOptions {
  const given = givenMembers(EmailSendRequest, membersOf(fields, problems)) as JsonObject;
  return readSendOptions(given, readMembers(OptionFields, given, "", problems), ipPools, problems);
}

/**
 * Returns the value of an option that a message may have only once. Undefined means that the
 * message does not have the option.
 */
export function singleOption(
  fields: readonly HeaderField[],
  lowerName: string,
  path: string,
  problems: FieldProblems,
): string | undefined {
  const [value, ...others] = optionsNamed(fields, lowerName);
  if (others.length > 0) problems.invalid(path, "is given more than once");
  return value;
}

/** The option headers as members of a request. */
function membersOf(
  fields: readonly HeaderField[],
  problems: FieldProblems,
): Readonly<Record<string, unknown>> {
  const single = (header: string, path: string): string | undefined =>
    singleOption(fields, header, path, problems);
  const members = {
    tags: optionsNamed(fields, "x-service-tags").flatMap(splitList),
    topic: single("x-service-topic", "topic"),
    campaign: single("x-service-campaign", "campaign"),
    ip_pool: single("x-service-ip-pool", "ip_pool"),
    priority: single("x-service-priority", "priority")?.toLowerCase(),
    sensitive: readBooleanHeader(single("x-service-sensitive", "sensitive")),
    reply_tracking: readBooleanHeader(single("x-service-reply-tracking", "reply_tracking")),
    template_id: single("x-service-template-id", "template_id"),
    variables: readJsonHeader(fields, "variables", problems),
    metadata: readJsonHeader(fields, "metadata", problems),
    unsubscribe: readUnsubscribeHeader(single("x-service-unsubscribe", "unsubscribe")),
    tracking: readTrackingHeader(single("x-service-tracking", "tracking"), problems),
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/**
 * Returns the decoded values of an option header, because mail programs encode non-ASCII text even
 * in headers that they don't know.
 */
function optionsNamed(fields: readonly HeaderField[], lowerName: string): string[] {
  return valuesOf(fields, lowerName).map((value) => decodeWords(value).text.trim());
}

function splitList(value: string): string[] {
  return value
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

function readJsonHeader(
  fields: readonly HeaderField[],
  name: "variables" | "metadata",
  problems: FieldProblems,
): unknown {
  const value = singleOption(fields, `x-service-${name}`, name, problems);
  if (value === undefined) return undefined;
  const parsed = parseJson(
    new TextEncoder().encode(value),
    BODY_DEPTH,
    name === "variables" ? { exactIn: "all" } : {},
  );
  if (parsed.kind === "value") return parsed.value;
  problems.invalid(name, parsed.problem);
  return undefined;
}

function readUnsubscribeHeader(value: string | undefined): { mode: string } | undefined {
  return value === undefined ? undefined : { mode: value.toLowerCase() };
}

/**
 * Returns the boolean. Returns a text that is not a boolean unchanged, so that the rule of the API
 * refuses it.
 */
function readBooleanHeader(value: string | undefined): boolean | string | undefined {
  return value && (BOOLEANS.get(value.toLowerCase()) ?? value);
}

/** Reads `opens=on; clicks=off`. Each of the two names may occur only once. */
function readTrackingHeader(
  value: string | undefined,
  problems: FieldProblems,
): Record<string, boolean> | undefined {
  if (value === undefined) return undefined;
  const settings: Record<string, boolean> = {};
  for (const entry of value.toLowerCase().split(";")) {
    const [name = "", setting = "", ...more] = entry.split("=").map((part) => part.trim());
    const chosen = more.length === 0 ? SWITCHES.get(setting) : undefined;
    if (name === "" && setting === "" && more.length === 0) continue;
    const isFirst = TRACKED.has(name) && !Object.hasOwn(settings, name);
    if (!isFirst || chosen === undefined) {
      problems.invalid("tracking", "must be like opens=on; clicks=off");
      return undefined;
    }
    settings[name] = chosen;
  }
  return settings;
}
