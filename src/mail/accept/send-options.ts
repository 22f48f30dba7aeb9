// Reads the options that a send over HTTP and a message by SMTP have in common: labels (contract.md
// §Labels), IP pool, priority, variables, metadata, and the links in the copies (contract.md
// §Tracking overrides, contract.md §Generated unsubscribe links). wire.ts checks the patterns of
// topic and campaign. The links are made when a copy is composed. Pure.
import { TAGS_PER_SEND } from "../../limits.ts";
import type { Message } from "../message.ts";
import type { FieldProblems } from "./field-problems.ts";
import { type JsonObject, readList, readValue } from "./fields.ts";
import { readMetadata } from "./metadata.ts";
import { toOneLine } from "./sanitize.ts";
import { readVariables } from "./variables.ts";
import { type SingleFields, Tag } from "./wire.ts";

/**
 * The options. `sensitive` and `replyTracking` are the send's own values, and the template may also
 * set them.
 */
export interface MessageOptions extends Pick<
  Message,
  | ("tags" | "topic" | "campaign" | "ipPool" | "priority" | "metadata" | "sensitive")
  | ("replyTracking" | "unsubscribe" | "tracking")
> {
  /**
   * The id or alias of a template, as the request gave it. A later step checks that the team has
   * this template.
   */
  readonly template: string | null;
  /**
   * The variables. If there are no variables, nothing is rendered, unless the send asks for an
   * unsubscribe link.
   */
  readonly variables: JsonObject;
}

/**
 * Maximum length of the sender's name. The unsubscribe page shows only a part of a longer name, and
 * a name of this length adds little to the message's row.
 */
const DISPLAY_NAME_CHARACTERS = 200;

/**
 * Reads the options. `fields` are the members of `input` with a single value, and only members of
 * the right type. `ipPools` are the team's own pools.
 */
export function readSendOptions(
  input: JsonObject,
  fields: SingleFields,
  ipPools: readonly string[],
  problems: FieldProblems,
): MessageOptions {
  const tags = readTags(input, problems);
  checkPool(fields.ip_pool, ipPools, problems);
  const unsubscribe = readUnsubscribe(fields, input["topic"], problems);
  const variables = readVariables(input, problems);
  const metadata = readMetadata(input, problems);
  const { tracking } = fields;
  return {
    template: fields.template_id ?? null,
    variables,
    tags,
    topic: fields.topic ?? null,
    campaign: fields.campaign ?? null,
    ipPool: fields.ip_pool ?? null,
    // Normal priority is not stored, because most messages have it.
    priority: fields.priority === "high" ? "high" : undefined,
    metadata,
    sensitive: fields.sensitive || undefined,
    replyTracking: fields.reply_tracking || undefined,
    unsubscribe,
    tracking: tracking && Object.keys(tracking).length > 0 ? tracking : undefined,
  };
}

/**
 * Reads the tags in order, and removes repetitions. The cap applies to the number of distinct tags.
 */
function readTags(input: JsonObject, problems: FieldProblems): string[] {
  const distinct = new Map<unknown, string>();
  for (const [index, value] of readList(input, "tags", problems).entries()) {
    if (!distinct.has(value)) distinct.set(value, `tags.${index}`);
    if (distinct.size > TAGS_PER_SEND) {
      problems.malformed("tags", `has more than ${TAGS_PER_SEND} different entries`);
      break;
    }
  }
  return Array.from(distinct, ([value, path]) => readValue(Tag, value, path, problems)).filter(
    (tag) => tag !== undefined,
  );
}

/**
 * Reports a pool that the team does not have. The error is the same if another team has that pool.
 * The send does not use another pool instead.
 */
export function checkPool(
  pool: string | undefined,
  teamPools: readonly string[],
  problems: FieldProblems,
): void {
  if (pool === undefined || teamPools.includes(pool)) return;
  const known =
    teamPools.length === 0
      ? "this team has no named IP pools"
      : `the team's pools are ${teamPools.join(", ")}`;
  problems.invalid("ip_pool", `is not an IP pool of this team: ${known}`);
}

/** Reports an error if the send asks for an unsubscribe link and the request has no topic. */
function readUnsubscribe(
  { unsubscribe }: SingleFields,
  topic: unknown,
  problems: FieldProblems,
): Message["unsubscribe"] {
  if (unsubscribe?.mode !== "generate") return undefined;
  if (topic === undefined)
    problems.invalid("topic", "is required when unsubscribe.mode is generate");
  const { display_name: given = "" } = unsubscribe;
  const name = toOneLine(given).trim().slice(0, DISPLAY_NAME_CHARACTERS).toWellFormed();
  return { displayName: name === "" ? null : name };
}
