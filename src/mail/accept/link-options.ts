// Reads a send's options for the links in its copies (contract.md §Tracking overrides, contract.md
// §Generated unsubscribe links). The links are made when a copy is composed. Pure.
import type { Message } from "../message.ts";
import type { FieldProblems } from "./field-problems.ts";
import { toOneLine } from "./sanitize.ts";
import type { SingleFields } from "./wire.ts";

/**
 * Maximum length of the sender's name. The unsubscribe page shows only a part of a longer name, and
 * a name of this length adds little to the message's row.
 */
const DISPLAY_NAME_CHARACTERS = 200;

export type LinkOptions = Pick<Message, "unsubscribe" | "tracking">;

/**
 * Reads the options. Reports an error if the send asks for an unsubscribe link and has no topic.
 * `topic` is the member of the request. Undefined means that the request has no topic.
 */
export function readLinkOptions(
  { unsubscribe, tracking }: SingleFields,
  topic: unknown,
  problems: FieldProblems,
): LinkOptions {
  const generates = unsubscribe?.mode === "generate";
  if (generates && topic === undefined)
    problems.invalid("topic", "is required when unsubscribe.mode is generate");
  return {
    unsubscribe: generates ? { displayName: displayNameOf(unsubscribe.display_name) } : undefined,
    tracking: tracking && Object.keys(tracking).length > 0 ? tracking : undefined,
  };
}

function displayNameOf(given = ""): string | null {
  const name = toOneLine(given).trim().slice(0, DISPLAY_NAME_CHARACTERS).toWellFormed();
  return name === "" ? null : name;
}
