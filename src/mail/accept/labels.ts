// Reads the labels of a send that are lists or choices: `tags` (contract.md §Labels) and `ip_pool`
// (contract.md §IP pools). Topic and campaign are plain patterns in wire.ts.
import { TAGS_PER_SEND } from "../../limits.ts";
import type { Findings } from "./findings.ts";
import { type JsonObject, readList, readValue } from "./fields.ts";
import { Tag } from "./wire.ts";

/** The tags, each once, in order of first occurrence; the cap holds for what is left. */
export function readTags(input: JsonObject, findings: Findings): string[] {
  const distinct = new Map<unknown, string>();
  for (const [index, value] of readList(input, "tags", findings).entries()) {
    if (!distinct.has(value)) distinct.set(value, `tags.${index}`);
    if (distinct.size > TAGS_PER_SEND) {
      findings.malformed("tags", `has more than ${TAGS_PER_SEND} different entries`);
      break;
    }
  }
  return [...distinct].flatMap(([value, path]) => readValue(Tag, value, path, findings) ?? []);
}

/**
 * A pool that is not the team's own is unknown, whosever it is; a send never falls back to a pool
 * that it did not name.
 */
export function checkPool(
  pool: string | undefined,
  teamPools: readonly string[],
  findings: Findings,
): void {
  if (pool === undefined || teamPools.includes(pool)) return;
  const known =
    teamPools.length === 0
      ? "this team has no named IP pools"
      : `the team's pools are ${teamPools.join(", ")}`;
  findings.invalid("ip_pool", `is not an IP pool of this team: ${known}`);
}
