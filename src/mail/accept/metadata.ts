// Checks a send's metadata against its limits (contract.md §Metadata). Pure.
import { Buffer } from "node:buffer";
import {
  METADATA_BYTES,
  METADATA_NAME_CHARACTERS,
  METADATA_PAIRS,
  METADATA_VALUE_CHARACTERS,
} from "../../limits.ts";
import type { Message } from "../message.ts";
import { isLongerThan } from "./body.ts";
import { pathSegment } from "../../refusal.ts";
import type { FieldProblems } from "./field-problems.ts";
import { type JsonObject, readMap } from "./fields.ts";

const NAME = new RegExp(`^[A-Za-z0-9_-]{1,${METADATA_NAME_CHARACTERS}}$`);

/**
 * Reads the metadata without pairs that are null. Undefined means that the metadata is absent or
 * empty, or an error was reported.
 */
export function readMetadata(input: JsonObject, problems: FieldProblems): Message["metadata"] {
  const given = readMap(input, "metadata", problems);
  const names = Object.keys(given).filter((name) => given[name] !== null);
  if (names.length === 0) return undefined;
  if (names.length > METADATA_PAIRS) {
    problems.malformed("metadata", `has more than ${METADATA_PAIRS} entries`);
    return undefined;
  }
  const before = problems.count;
  for (const name of names) checkPair(name, given[name], problems);
  if (problems.count > before) return undefined;
  const metadata = Object.fromEntries(names.map((name) => [name, given[name]]));
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes <= METADATA_BYTES) return metadata as Message["metadata"];
  problems.invalid("metadata", `is ${bytes} bytes of JSON; at most ${METADATA_BYTES} are allowed`);
  return undefined;
}

function checkPair(name: string, value: unknown, problems: FieldProblems): void {
  const path = `metadata.${pathSegment(name)}`;
  if (!NAME.test(name)) {
    problems.invalid(
      path,
      `must be named with 1 to ${METADATA_NAME_CHARACTERS} letters, digits, underscores or hyphens`,
    );
  } else if (typeof value !== "string") problems.invalid(path, "must be a string");
  else if (isLongerThan(value, METADATA_VALUE_CHARACTERS))
    problems.invalid(path, `is longer than ${METADATA_VALUE_CHARACTERS} characters`);
}
