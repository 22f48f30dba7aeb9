// Tests with real processes how the stack's processes are supervised (tools/dev/processes): a child
// that was killed starts again on its port, and no process outlives its parent.
// test/dev/supervise.test.ts has the other rules.
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { endStaleGroups, findRunningStart } from "../../../tools/dev/processes/stale-processes.ts";
import { startProcess } from "../../../tools/dev/processes/start-process.ts";
import { SupervisedChild } from "../../../tools/dev/processes/supervise.ts";
import { writeStateFile } from "../../../tools/dev/state-file.ts";
import { Child } from "../../../tools/harness/child.ts";
import { ownPort } from "../../../tools/harness/loopback.ts";
import { commandOf } from "../../../tools/harness/process-table.ts";

const CHILD = new URL("dev-child.ts", import.meta.url).pathname;

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "supervise-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

interface Answer {
  pid: number;
  companion: number;
}

async function ask(port: number): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}/healthz`);
  return response.json() as Promise<Answer>;
}

const untilGone = (...pids: number[]) =>
  expect.poll(() => pids.filter((pid) => commandOf(pid) !== null)).toEqual([]);

it("the supervisor restarts a child that was killed, on the same port, and ends the rest of its group", async () => {
  const port = await ownPort();
  const child = new SupervisedChild(
    {
      name: "the child",
      args: [CHILD, String(port)],
      env: {},
      logPath: join(directory, "child.log"),
      healthUrl: `http://127.0.0.1:${port}/healthz`,
    },
    { notice: () => undefined, changed: () => undefined },
    startProcess,
  );
  await child.ready();
  const old = await ask(port);
  process.kill(old.pid, "SIGKILL");
  await untilGone(old.pid, old.companion);
  const pidNow = async (): Promise<number> => (await ask(port).catch(() => old)).pid;
  await expect.poll(pidNow).not.toBe(old.pid);
  expect(await pidNow()).toBe(child.group);
  await child.stop();
});

it("the supervisor stops a child that ignores SIGTERM, and its children", async () => {
  const child = new Child(null, process.execPath, [CHILD, "0", "stubborn"]);
  const [, port] = await child.says(/^listening on (\d+)$/);
  const { pid, companion } = await ask(Number(port));
  await child.stop(1);
  await untilGone(pid, companion);
});

it("the supervisor leaves no process and no stack file when it is killed itself", async () => {
  const port = await ownPort();
  const stackFile = join(directory, "dev.json");
  writeStateFile(stackFile, {});
  const parent = fork(new URL("supervisor.ts", import.meta.url), [
    String(port),
    join(directory, "child.log"),
    stackFile,
  ]);
  await once(parent, "message");
  const { pid, companion } = await ask(port);
  expect(existsSync(stackFile)).toBe(true);
  parent.kill("SIGKILL");
  await untilGone(pid, companion);
  expect(existsSync(stackFile)).toBe(false);
});

it("the supervisor ends the processes that a killed start left running, and no others", async () => {
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
