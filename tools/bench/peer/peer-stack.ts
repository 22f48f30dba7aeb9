// Starts the peer stack, each part in its own process: PostgreSQL, Redis and the send endpoint in
// front of them.
import type { Cleanup } from "../../harness/cleanup.ts";
import { startNode } from "../../harness/child.ts";
import type { LoadTarget } from "../harness/load.ts";
import { startPostgres } from "./postgres.ts";
import { startRedis } from "./redis.ts";

export interface Peer extends LoadTarget {
  /** Process ids for cpuSeconds(): the endpoint, the database, the queue. */
  readonly pids: readonly number[];
  readonly about: readonly string[];
}

const API_KEY = "peer_0123456789abcdef0123456789abcdef01234567";

/** Returns a string with the names of missing programs if the peer can't start. */
export async function startPeer(cleanup: Cleanup): Promise<Peer | string> {
  const [postgres, redis] = await Promise.all([startPostgres(cleanup), startRedis(cleanup)]);
  if (!postgres || !redis)
    return (
      "peer not installed: " +
      [!postgres && "PostgreSQL", !redis && "Redis"].filter(Boolean).join(", ")
    );
  const child = startNode(cleanup, import.meta.resolve("./server.ts"), {
    env: {
      NODE_ENV: "production",
      BENCH_API_KEY: API_KEY,
      BENCH_POSTGRES: postgres.socket,
      BENCH_REDIS: redis.socket,
    },
  });
  const [, origin = ""] = await child.says(/^listening at (http:\S+)$/);
  return {
    origin,
    apiKey: API_KEY,
    pids: [child.pid, postgres.pid, redis.pid],
    about: [postgres.about, redis.about],
  };
}
