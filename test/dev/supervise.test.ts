// Tests how the stack's processes are supervised: the supervisor restarts a process that dies or
// stops answering, and no process outlives its parent.
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  endStaleGroups,
  findRunningStart,
  recordGroups,
} from "../../tools/dev/processes/stale-processes.ts";
import { LogFile } from "../../tools/dev/processes/log-file.ts";
import { commandOf } from "../../tools/harness/process-table.ts";
import { claimPorts } from "../../tools/dev/dev-settings.ts";
import { writeStateFile } from "../../tools/dev/state-file.ts";
import { type ChildSpec, SupervisedChild } from "../../tools/dev/processes/supervise.ts";

const CHILD = new URL("dev-child.ts", import.meta.url).pathname;
const PROBE_EVERY_MS = 50;

let directory: string;
let port: number;
let notices: string[];
const started = new Set<SupervisedChild>();

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "supervise-"));
  port = await anyPort();
  notices = [];
});

afterEach(async () => {
  await Promise.all([...started].map((child) => child.stop()));
  started.clear();
  rmSync(directory, { recursive: true });
});

const logPath = () => join(directory, "log", "child.log");

async function anyPort(): Promise<number> {
  const any = {
    PORT: "0",
    SMTP_PORT: "0",
    INBOX_PORT: "0",
    MX_PORT: "0",
    DNS_PORT: "0",
    EGRESS_PORT: "0",
  };
  return (await claimPorts(any)).PORT;
}

function supervise(
  fault = "",
  write?: (descriptor: number, text: string) => void,
  more: Partial<ChildSpec> = {},
): SupervisedChild {
  const spec = {
    name: "the child",
    args: [CHILD, String(port), fault],
    env: {},
    logPath: logPath(),
    healthUrl: `http://127.0.0.1:${port}/healthz`,
    isFatal: (line: string) => line === "lost",
    isUnbuilt: (line: string) => line === "unbuilt",
    ...more,
  };
  const listener = { notice: (line: string) => notices.push(line), changed: () => undefined };
  const child = new SupervisedChild(
    spec,
    listener,
    PROBE_EVERY_MS,
    new LogFile(spec.logPath, write),
  );
  started.add(child);
  return child;
}

interface Answer {
  pid: number;
  companion: number;
}

async function get(path: string): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return response.json() as Promise<Answer>;
}

/**
 * Waits until a new child process has replaced the child `old`, and returns the new child's answer.
 */
async function successor(old: Answer): Promise<Answer> {
  for (;;) {
    const answer = await get("/healthz").catch(() => old);
    if (answer.pid !== old.pid) return answer;
    await wait(20);
  }
}

async function untilGone(...pids: number[]): Promise<void> {
  while (pids.some((pid) => commandOf(pid) !== null)) await wait(20);
}

it("restarts a child that was killed, with its whole group, and prints one line", async () => {
  const child = supervise();
  await child.ready();
  const old = await get("/healthz");
  process.kill(old.pid, "SIGKILL");
  const fresh = await successor(old);
  await untilGone(old.pid, old.companion);
  expect(child.group).toBe(fresh.pid);
  expect(notices).toEqual(["the child died and is started again"]);
});

it("restarts a child that runs but does not answer its health check", async () => {
  await supervise().ready();
  const old = await get("/sick");
  await successor(old);
  await untilGone(old.companion);
  expect(notices).toEqual(["the child does not answer and is started again"]);
});

it("restarts a child that prints that it is lost", async () => {
  await supervise().ready();
  const old = await get("/lost");
  await successor(old);
  await untilGone(old.pid, old.companion);
  expect(notices).toEqual(["the child died and is started again"]);
});

it("stops a child that ignores SIGTERM, and its children", async () => {
  const child = supervise("stubborn");
  await child.ready();
  const { pid, companion } = await get("/healthz");
  await child.stop();
  await untilGone(pid, companion);
  expect([commandOf(pid), commandOf(companion)]).toEqual([null, null]);
  expect(notices).toEqual([]);
});

it.each(["ENOSPC", "EPIPE"])(
  "drops log lines that fail with %s, prints this once, and otherwise works as before",
  async (code) => {
    const child = supervise("", () => {
      throw Object.assign(new Error(code), { code });
    });
    await child.ready();
    const old = await get("/lost");
    const { pid, companion } = await successor(old);
    await get("/said");
    await child.stop();
    await untilGone(pid, companion);
    expect(notices).toEqual([
      `${join(directory, "log", "child.log")} can't be written (${code}): lines are dropped ` +
        "until it can",
      "the child died and is started again",
    ]);
  },
);

it("logs again when the disk has room, and reports the next failure anew", () => {
  let isFull = false;
  const path = join(directory, "a.log");
  const log = new LogFile(path, (descriptor, text) => {
    if (isFull) throw Object.assign(new Error("full"), { code: "ENOSPC" });
    writeSync(descriptor, text);
  });
  const complaints = [false, true, true, false, true].map((full, index) => {
    isFull = full;
    return log.append(`line ${index}`) !== null;
  });
  expect(complaints).toEqual([false, true, false, false, true]);
  expect(log.end()).toBe(`line 0\nline 3\n(the whole log: ${path})`);
});

it("shows the output of a child that could not start", async () => {
  await expect(supervise("broken").ready()).rejects.toThrow(
    /the child did not start:[^]*broken on purpose[^]*child\.log/,
  );
  expect(readFileSync(logPath(), "utf8")).toContain("broken on purpose");
});

it("shows at once why a child can't be built, although the child keeps running", async () => {
  await expect(supervise("unbuilt").ready()).rejects.toThrow(
    /^the child does not build:\nunbuilt\nerror: line 7$/,
  );
});

it("waits for the sources of a child that is edited, whether its build failed or it died", async () => {
  let edit = () => {};
  const change = () => new Promise<void>((changed) => (edit = changed));
  const args: string[] = [CHILD, String(port), "broken"];
  const child = supervise("", undefined, { args, change });
  const ready = child.ready();
  await expect
    .poll(() => notices)
    .toEqual(["the child did not start and is started again when its sources change"]);
  args[2] = "unbuilt";
  edit();
  await expect.poll(() => readFileSync(logPath(), "utf8")).toContain("error: line 7");
  child.kill();
  await expect.poll(() => notices).toHaveLength(2);
  args[2] = "";
  edit();
  await ready;
  expect((await get("/healthz")).pid).toBe(child.group);
  const notice = "the child did not start and is started again when its sources change";
  expect(notices).toEqual([notice, notice]);
});

it("leaves no process and no stack file when the supervising process is killed", async () => {
  const stackFile = join(directory, "dev.json");
  writeStateFile(stackFile, {});
  const parent = fork(new URL("supervisor.ts", import.meta.url), [
    String(port),
    join(directory, "child.log"),
    stackFile,
  ]);
  await once(parent, "message");
  const { pid, companion } = await get("/healthz");
  expect(existsSync(stackFile)).toBe(true);
  parent.kill("SIGKILL");
  await untilGone(pid, companion);
  expect(existsSync(stackFile)).toBe(false);
});

it("ends the processes that a killed start left running, and no others", async () => {
  const idle = ["-e", "setInterval(() => {}, 1000)"];
  const left = spawn(process.execPath, idle, { detached: true, stdio: "ignore" });
  const stranger = spawn(process.execPath, [...idle, "stranger"], {
    detached: true,
    stdio: "ignore",
  });
  const [leftPid, strangerPid] = [left.pid ?? 0, stranger.pid ?? 0];
  const command = commandOf(leftPid);
  writeStateFile(join(directory, "pids.json"), {
    start: { pid: leftPid, command: "another program" },
    groups: [leftPid, strangerPid].map((pid) => ({ pid, command })),
  });
  expect(findRunningStart(directory)).toBeNull();
  await endStaleGroups(directory);
  expect(commandOf(leftPid)).toBeNull();
  expect(commandOf(strangerPid)).not.toBeNull();
  stranger.kill("SIGKILL");
});

it("knows whether another start is using the state directory", () => {
  recordGroups(directory, []);
  expect(findRunningStart(directory)).toBeNull();
  writeStateFile(join(directory, "pids.json"), {
    start: { pid: process.ppid, command: commandOf(process.ppid) },
    groups: [],
  });
  expect(findRunningStart(directory)).toBe(process.ppid);
});
