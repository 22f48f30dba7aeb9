// Judges shards by their size (docs/scaling.md §Adding a shard), and describes which shards store a
// team's events. Pure.
import type { Shard, Team } from "../../api/operator/types.ts";
import type { Tone } from "../../parts/tone.ts";

export type ShardInfo = Shard["shards"][number];
type Span = Team["shards"][number];

/** D1's size limit for one database, in bytes. */
export const SHARD_LIMIT_BYTES = 10_000_000_000;
/**
 * The size above which a shard is low on space. Such a shard gets no new teams while another shard
 * has space.
 */
export const LOW_SPACE_BYTES = 7_000_000_000;

export function judgeShard({ size }: ShardInfo): readonly [Tone, string] {
  if (size === null) return ["bad", "No answer"];
  return size > LOW_SPACE_BYTES ? ["wait", "Low space"] : ["ok", "Has room"];
}

/** Describes the state of the shards in a sentence or two. */
export function shardSummary(shards: readonly ShardInfo[]): string {
  const silent = shards.filter(({ size }) => size === null).map(({ shard }) => shard);
  const open = shards.filter((one) => one.takes_new_teams).map(({ shard }) => shard);
  const withRoom = shards.filter((one) => one.takes_new_teams && judgeShard(one)[0] === "ok");
  const [are, them] = open.length === 1 ? ["It is", ""] : ["All of them are", "one of the "];
  const said = [
    open.length === 0
      ? "No shard takes new teams: set SHARDS_FOR_NEW_TEAMS."
      : `New teams are stored on ${them}${nameShards(open)}.`,
    open.length > 0 && withRoom.length === 0 ? `${are} low on space: add a shard.` : "",
    silent.length > 0
      ? `There was no answer from ${nameShards(silent)} within 2 seconds. New events are kept and stored later.`
      : "",
  ];
  return said.filter((one) => one !== "").join(" ");
}

/** Writes `shards 0, 2 from 2026-11-22`. */
export function describeSpan({ from, shards }: Span): string {
  return `${nameShards(shards)} from ${from}`;
}

/** Writes `shard 0`, or `shards 0, 2`. */
function nameShards(shards: readonly number[]): string {
  return `${shards.length === 1 ? "shard" : "shards"} ${shards.join(", ")}`;
}

/**
 * Parses shard numbers separated by commas or spaces. Null: the text is empty. Undefined: a part of
 * the text is not a number.
 */
export function readShards(text: string): number[] | null | undefined {
  const parts = text.split(/[\s,]+/).filter((part) => part !== "");
  if (parts.length === 0) return null;
  return parts.every((part) => /^\d{1,4}$/.test(part)) ? parts.map(Number) : undefined;
}
