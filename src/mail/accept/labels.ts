// Reads a send's `tags` (contract.md §Labels), `ip_pool` (contract.md §IP pools) and `priority`
// (contract.md §Priority). wire.ts checks the patterns of topic and campaign. Pure.
import type { Priority } from "../../rpc/priority.ts";
import { TAGS_PER_SEND } from "../../limits.ts";
import type { Message } from "../message.ts";
import type { FieldProblems } from "./field-problems.ts";
import { type JsonObject, readList, readValue } from "./fields.ts";
import { Tag } from "./wire.ts";

/**
 * Reads the tags in order, and removes repetitions. The cap applies to the number of distinct tags.
 */
export function readTags(input: JsonObject, problems: FieldProblems): string[] {
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

/**
 * Returns the priority as it is stored. Normal priority is not stored, because most messages have
 * it.
 */
export function storedPriority(priority: Priority | undefined): Message["priority"] {
  return priority === "high" ? priority : undefined;
}
