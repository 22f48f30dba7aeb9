// Runs a Redis for the peer stack's queue, in a new directory and on a Unix socket. Redis appends
// every write to its log, and syncs the log each second.
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { Child } from "../../harness/child.ts";
import type { Cleanup } from "../../harness/cleanup.ts";
import type { PostgresServer } from "./postgres.ts";

/** Returns undefined if Redis is not installed. */
export async function startRedis(cleanup: Cleanup): Promise<PostgresServer | undefined> {
  const installed = (process.env["PATH"] ?? "")
    .split(delimiter)
    .some((folder) => existsSync(join(folder, "redis-server")));
  if (!installed) return undefined;
  const directory = await mkdtemp(join(tmpdir(), "postern-bench-redis-"));
  cleanup.add(() => rm(directory, { recursive: true, force: true }));
  const socket = join(directory, "redis.sock");
  const settings = { port: "0", unixsocket: socket, dir: directory, save: "" };
  const durable = { ...settings, appendonly: "yes", appendfsync: "everysec" };
  const args = Object.entries(durable).flatMap(([name, value]) => [`--${name}`, value]);
  const child = new Child(cleanup, "redis-server", args);
  const [, version] = await child.says(/Redis version=([\d.]+)/);
  await child.says(/ready to accept connections/i);
  return {
    pid: child.pid,
    socket,
    about: `Redis ${version}, appendonly yes, appendfsync everysec, no snapshots`,
  };
}
