// Runs a PostgreSQL for the peer stack: Debian's or one on the PATH, with a new data directory and
// standard settings (fsync and synchronous_commit on), on a Unix socket. PostgreSQL does not run as
// root, so root starts it as the user postgres.
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { chown, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { Child, type ChildOptions } from "../../harness/child.ts";
import type { Cleanup } from "../../harness/cleanup.ts";

export interface PostgresServer {
  /** Process id for cpuSeconds(). */
  readonly pid: number;
  /**
   * The folder of PostgreSQL's socket, which `pg` takes as the host, or the path of Redis's socket.
   */
  readonly socket: string;
  /** Version and settings. */
  readonly about: string;
}

const DEBIAN = "/usr/lib/postgresql";

/** Returns undefined if PostgreSQL is not installed, or if root finds no other user to start it. */
export async function startPostgres(cleanup: Cleanup): Promise<PostgresServer | undefined> {
  const programs = findPrograms();
  if (!programs) return undefined;
  const user = await otherUser();
  if (process.getuid?.() === 0 && !user) return undefined;
  const directory = await mkdtemp(join(tmpdir(), "postern-bench-pg-"));
  cleanup.add(() => rm(directory, { recursive: true, force: true }));
  if (user) await chown(directory, user.uid, user.gid);
  const data = join(directory, "data");
  const asUser = { ...user, cwd: directory, env: { PATH: process.env["PATH"], LC_ALL: "C" } };
  await promisify(execFile)(
    join(programs, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8"],
    asUser,
  );
  const options: ChildOptions = {
    env: { LC_ALL: "C" },
    signal: "SIGINT",
    ...(user ? { user } : {}),
  };
  const settings = ["listen_addresses=", `unix_socket_directories=${directory}`].flatMap(
    (setting) => ["-c", setting],
  );
  const child = new Child(cleanup, join(programs, "postgres"), ["-D", data, ...settings], options);
  await child.says(/ready to accept connections/);
  const { stdout } = await promisify(execFile)(join(programs, "postgres"), ["--version"]);
  return {
    pid: child.pid,
    socket: directory,
    about: `${stdout.trim()}, standard settings: fsync and synchronous_commit on`,
  };
}

/** Returns the folder of the newest version. */
function findPrograms(): string | undefined {
  const versions = existsSync(DEBIAN)
    ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))
    : [];
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, "bin")),
    ...(process.env["PATH"] ?? "").split(delimiter),
  ];
  return folders.find(
    (folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")),
  );
}

/**
 * Returns the account as which root starts PostgreSQL. Undefined: the caller is not root, or the
 * machine has no such account.
 */
async function otherUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [, uid, gid] =
    /^postgres:[^:]*:(\d+):(\d+):/m.exec(await readFile("/etc/passwd", "utf8")) ?? [];
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}
