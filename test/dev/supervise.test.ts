// Tests how the stack's processes are supervised (tools/dev/processes), with fake processes: the
// supervisor restarts a child that ends or stops answering, reports why a child did not start, and
// drops only the log lines that can't be written. test/programs/dev has the tests with real
// processes.
import { mkdtempSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { findRunningStart, recordGroups } from "../../tools/dev/processes/stale-processes.ts";
import { LogFile } from "../../tools/dev/processes/log-file.ts";
import { writeStateFile } from "../../tools/dev/state-file.ts";
import {
  type ChildSpec,
  SupervisedChild,
  type SupervisedProcess,
} from "../../tools/dev/processes/supervise.ts";
import { commandOf } from "../../tools/harness/process-table.ts";

/** A child that ends when it is killed. */
class FakeProcess implements SupervisedProcess {
  readonly #over = Promise.withResolvers<number | null>();
  readonly ended = this.#over.promise;
  readonly pid: number;
  readonly say: (line: string) => void;
  /** Milliseconds that stop() gave the child to end. */
  grace: number | undefined;

  constructor(pid: number, say: (line: string) => void) {
    this.pid = pid;
    this.say = say;
  }

  kill(): void {
    this.#over.resolve(null);
  }

  async stop(withinMs?: number): Promise<void> {
    this.grace = withinMs;
    this.kill();
    await this.ended;
  }
}

let directory: string;
let notices: string[];
let children: FakeProcess[];
/** The status of the child's health check. Null: the child does not answer. */
let health: number | null;
/** Called with each child that has started. */
let begin: (child: FakeProcess) => void;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", async () => {
    if (health === null) throw new TypeError("fetch failed");
    return Promise.resolve(new Response(null, { status: health }));
  });
  directory = mkdtempSync(join(tmpdir(), "supervise-"));
  notices = [];
  children = [];
  health = 200;
  begin = () => undefined;
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  rmSync(directory, { recursive: true });
});

const logPath = () => join(directory, "log", "child.log");

function supervise(more: Partial<ChildSpec> = {}, log?: LogFile): SupervisedChild {
  const spec = {
    name: "the child",
    args: [],
    env: {},
    logPath: logPath(),
    healthUrl: "http://127.0.0.1:1/healthz",
    isFatal: (line: string) => line === "lost",
    isUnbuilt: (line: string) => line === "unbuilt",
    ...more,
  };
  const listener = { notice: (line: string) => notices.push(line), changed: () => undefined };
  const start = (_spec: ChildSpec, onLine: (line: string) => void): FakeProcess => {
    const child = new FakeProcess(children.length + 1, onLine);
    children.push(child);
    queueMicrotask(() => begin(child));
    return child;
  };
  return new SupervisedChild(spec, listener, start, log);
}

async function ready(...given: Parameters<typeof supervise>): Promise<SupervisedChild> {
  const child = supervise(...given);
  await child.ready();
  return child;
}

it.each<[string, string, () => void]>([
  ["died", "died", () => children.at(0)!.kill()],
  ["prints that it is lost", "died", () => children.at(0)!.say("lost")],
  ["runs but does not answer its health check", "does not answer", () => (health = 503)],
  ["runs but refuses connections", "does not answer", () => (health = null)],
])("the supervisor restarts a child that %s, and prints one line", async (_what, reason, act) => {
  const child = await ready();
  act();
  while (children.length < 2) await vi.advanceTimersByTimeAsync(500);
  health = 200;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(child.group).toBe(2);
  expect(notices).toEqual([`the child ${reason} and is started again`]);
});

it("the supervisor waits before it restarts a child that ran for a short time only", async () => {
  await ready();
  children.at(0)!.kill();
  await vi.advanceTimersByTimeAsync(900);
  expect(children).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(10_000);
  children.at(1)!.kill();
  await vi.advanceTimersByTimeAsync(0);
  expect(children).toHaveLength(3);
});

it("the supervisor leaves a child alone that misses fewer than three health checks in a row", async () => {
  await ready();
  health = 503;
  await vi.advanceTimersByTimeAsync(5_000);
  health = 200;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([children.length, notices]).toEqual([1, []]);
});

it("the supervisor gives a child that it stops four seconds to end, and does not start it again", async () => {
  const child = await ready();
  await child.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(children.map(({ grace }) => grace)).toEqual([4_000]);
  expect([child.group, notices]).toEqual([null, []]);
});

it.each(["ENOSPC", "EPIPE"])(
  "the supervisor drops log lines that fail with %s, prints this once, and works on",
  async (code) => {
    const log = new LogFile(logPath(), () => {
      throw Object.assign(new Error(code), { code });
    });
    await ready({}, log);
    children.at(0)!.say("lost");
    await vi.advanceTimersByTimeAsync(10_000);
    children.at(1)!.say("said");
    const dropped = `${logPath()} can't be written (${code}): lines are dropped until it can`;
    expect([children.length, notices]).toEqual([
      2,
      [dropped, "the child died and is started again"],
    ]);
  },
);

it("the supervisor logs again when the disk has room, and reports the next failure anew", () => {
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

it.each<[string, (child: FakeProcess) => void, RegExp]>([
  [
    "that could not start",
    (child) => (child.say("broken on purpose"), child.kill()),
    /^the child did not start:\nbroken on purpose\n\(the whole log: .*child\.log\)$/,
  ],
  [
    "that can't be built, although it keeps running",
    (child) => (child.say("unbuilt"), child.say("error: line 7")),
    /^the child does not build:\nunbuilt\nerror: line 7$/,
  ],
  [
    "that does not answer for a minute and a half",
    (child) => child.say("busy"),
    /^the child does not answer http:[^]*\nbusy\n/,
  ],
])("the supervisor shows the output of a child %s", async (_what, act, error) => {
  health = null;
  begin = act;
  const failing = expect(supervise().ready()).rejects.toThrow(error);
  await vi.advanceTimersByTimeAsync(100_000);
  await failing;
});

it("the supervisor restarts a child after an edit of its sources, if its build had failed or it had crashed", async () => {
  let edit = () => {};
  const change = () => new Promise<void>((changed) => (edit = changed));
  health = null;
  begin = (child) => child.kill();
  const child = supervise({ change });
  const isReady = child.ready();
  await vi.advanceTimersByTimeAsync(100);
  begin = (one) => (one.say("unbuilt"), one.say("error: line 7"));
  edit();
  await vi.advanceTimersByTimeAsync(200_000);
  expect(readFileSync(logPath(), "utf8")).toContain("error: line 7");
  child.kill();
  await vi.advanceTimersByTimeAsync(100);
  expect(children).toHaveLength(2);
  begin = () => (health = 200);
  edit();
  await vi.advanceTimersByTimeAsync(100);
  await isReady;
  expect(child.group).toBe(3);
  const notice = "the child did not start and is started again when its sources change";
  expect(notices).toEqual([notice, notice]);
});

it("the supervisor knows whether another start is using the state directory", () => {
  recordGroups(directory, []);
  expect(findRunningStart(directory)).toBeNull();
  const start = { pid: process.ppid, command: commandOf(process.ppid) };
  writeStateFile(join(directory, "pids.json"), { start, groups: [] });
  expect(findRunningStart(directory)).toBe(process.ppid);
});
