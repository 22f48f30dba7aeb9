// Where teams of unit tests have their events.
import type { ShardSpan } from "../../src/db/shards.ts";

export const ON_SHARD_0: readonly ShardSpan[] = [{ from: "20200101", shards: [0] }];
