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
    `There ${shards.length === 1 ? "is one shard" : `are ${formatCount(shards.length)} shards`}.`,
    open.length === 0
      ? "None takes new teams: name some in SHARDS_FOR_NEW_TEAMS."
      : `New teams go to ${open.join(", ")}${
          withRoom.length === 0 ? ", and none of them has room: add a shard" : ""
        }.`,
    silent.length > 0
      ? `${silent.join(", ")} did not answer within 2 seconds; events for it wait in the ledgers’ logs.`
      : "",
  ];
  return said.filter((one) => one !== "").join(" ");
}

/** Writes `from 2026-11-22 on 0, 2`. */
export function describeSpan({ from, shards }: Span): string {
  return `from ${from} on ${shards.join(", ")}`;
}

/** Reads shard numbers between commas or blanks. Null for empty text, undefined for a non-number. */
export function readShards(text: string): number[] | null | undefined {
  const parts = text.split(/[\s,]+/).filter((part) => part !== "");
  if (parts.length === 0) return null;
  return parts.every((part) => /^\d{1,4}$/.test(part)) ? parts.map(Number) : undefined;
}
