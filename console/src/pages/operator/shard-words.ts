// Judges shards by their size (docs/scaling.md §Adding a shard), and writes a team's spans. Pure.
import type { Shard, Team } from "../../api/operator/types.ts";
import { formatCount } from "../../parts/figures.ts";
import type { Tone } from "../../parts/tone.ts";

export type ShardInfo = Shard["shards"][number];
type Span = Team["shards"][number];

/** D1's limit for one database. */
export const SHARD_LIMIT_BYTES = 10_000_000_000;
/** A fuller shard gets no new teams while others have room. */
const FULL_BYTES = 7_000_000_000;

export function judgeShard({ size }: ShardInfo): readonly [Tone, string] {
  if (size === null) return ["bad", "No answer"];
  return size > FULL_BYTES ? ["wait", "Full"] : ["ok", "Has room"];
}

/** Says in a sentence or two how the shards are. */
export function shardVerdict(shards: readonly ShardInfo[]): string {
  const silent = shards.filter(({ size }) => size === null).map(({ shard }) => shard);
  const open = shards.filter((one) => one.takes_new_teams).map(({ shard }) => shard);
  const withRoom = shards.filter((one) => one.takes_new_teams && judgeShard(one)[0] === "ok");
  const said = [
    `${shards.length === 1 ? "One shard" : `${formatCount(shards.length)} shards`}.`,
    open.length === 0
      ? "None accepts new teams: set SHARDS_FOR_NEW_TEAMS."
      : `New teams go to ${open.join(", ")}${
          withRoom.length === 0 ? ", but none of them has room: add a shard" : ""
        }.`,
    silent.length > 0
      ? `${silent.join(", ")} did not answer within 2 seconds. Events for it wait in the ledgers.`
      : "",
  ];
  return said.filter((one) => one !== "").join(" ");
}

/** Writes `shards 0, 2 from 2026-11-22`. */
export function describeSpan({ from, shards }: Span): string {
  return `${shards.length === 1 ? "shard" : "shards"} ${shards.join(", ")} from ${from}`;
}

/** Reads shard numbers between commas or blanks. Null for empty text, undefined for a non-number. */
export function readShards(text: string): number[] | null | undefined {
  const parts = text.split(/[\s,]+/).filter((part) => part !== "");
  if (parts.length === 0) return null;
  return parts.every((part) => /^\d{1,4}$/.test(part)) ? parts.map(Number) : undefined;
}
