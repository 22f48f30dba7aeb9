// Tests the limits of the platform around a worker's bindings and objects
// (tools/dev/platform/limited-worker.ts), with bindings that only count.
import { describe, expect, it, vi } from "vitest";
import {
  asInvocation,
  limitBindings,
  limitedObject,
  type PlatformBindings,
} from "../../tools/dev/platform/limited-worker.ts";
import { CRON_CONTINENT } from "../../tools/dev/platform/object-continents.ts";
import { readSwitches } from "../../tools/dev/platform/switches.ts";

interface Database {
  prepare(sql: string): { run(): Promise<unknown>; bind(): { run(): Promise<unknown> } };
  batch(statements: readonly unknown[]): Promise<unknown>;
}

const statement = { run: async () => 1, bind: () => ({ run: async () => 1 }) };
const DB = { prepare: () => statement, batch: async (all: readonly unknown[]) => all.length };
const TOO_MANY = /Too many API requests/;

const limits = (PLATFORM: string, more: PlatformBindings = {}) =>
  limitBindings({ PLATFORM, DB, ...more });
const database = (env: PlatformBindings) => env["DB"] as Database;

describe("an invocation", () => {
  it("may make 1,000 D1 queries, those of a batch included, and the next invocation may make as many", async () => {
    const db = database(limits("query_limit"));
    await asInvocation(async () => {
      for (let query = 0; query < 990; query += 1) await db.prepare("").run();
      expect(await db.batch(Array.from({ length: 10 }, () => db.prepare("")))).toBe(10);
      expect(() => db.prepare("").bind().run()).toThrow(TOO_MANY);
    });
    await asInvocation(async () => expect(await db.prepare("").run()).toBe(1));
  });

  it("of an object's method has its own limit", async () => {
    class Reader {
      readonly env: PlatformBindings;

      constructor(_: never, env: PlatformBindings) {
        this.env = env;
      }

      async read(queries: number): Promise<void> {
        for (let query = 0; query < queries; query += 1) await database(this.env).prepare("").run();
      }
    }
    const Limited = limitedObject(Reader);
    const reader = new Limited(undefined as never, { PLATFORM: "real", DB, RETRY_SPEEDUP: "999" });
    await reader.read(1_000);
    await reader.read(1_000);
    await expect(reader.read(1_001)).rejects.toThrow(TOO_MANY);
  });

  it("may have six open connections, and a seventh one waits", async () => {
    const open = { now: 0, most: 0 };
    const send = async () => {
      open.now += 1;
      open.most = Math.max(open.most, open.now);
      await new Promise((over) => setTimeout(over, 1));
      open.now -= 1;
    };
    const env = limits("six_connections", { DELIVER: { send } });
    const queue = env["DELIVER"] as { send(): Promise<void> };
    await asInvocation(() => Promise.all(Array.from({ length: 20 }, () => queue.send())));
    expect(open).toEqual({ now: 0, most: 6 });
  });
});

it("an object accepts 1,000 calls a second, and refuses further calls as overloaded", async () => {
  vi.setSystemTime(Date.now());
  const objects = { getByName: () => ({ usage: async () => "ok" }) };
  const env = limits("overload", { TEAM_LEDGER: objects });
  const ledgers = env["TEAM_LEDGER"] as {
    getByName(name: string): { usage(): Promise<string> };
  };
  const busy = ledgers.getByName("team_1");
  for (let call = 0; call < 1_000; call += 1) expect(await busy.usage()).toBe("ok");
  await expect(busy.usage()).rejects.toMatchObject({ overloaded: true, retryable: false });
  expect(await ledgers.getByName("team_2").usage()).toBe("ok");
  vi.setSystemTime(Date.now() + 1_000);
  expect(await busy.usage()).toBe("ok");
});

it("a call takes as long as on the platform, divided by RETRY_SPEEDUP", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const over = vi.fn();
  const db = database(limits("latencies"));
  const reading = db.prepare("").run().then(over);
  await vi.advanceTimersByTimeAsync(19);
  expect(over).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(31);
  expect(over).toHaveBeenCalledOnce();
  await reading;
  await database(limits("latencies", { RETRY_SPEEDUP: "60" }))
    .prepare("")
    .run();
});

it("a call to an object on another continent takes longer; the location hint or the first caller decides the continent", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const stubOf = (name: string) => ({ id: `id ${name}`, usage: async () => name });
  const ledgers = limits("latencies", { TEAM_LEDGER: { getByName: stubOf } })["TEAM_LEDGER"] as {
    getByName(name: string, options?: object): { usage(): Promise<string> };
  };
  const isFar = async (from: string, name: string, options?: object) => {
    const over = vi.fn();
    const call = asInvocation(() => ledgers.getByName(name, options).usage().then(over), from);
    await vi.advanceTimersByTimeAsync(31);
    const isOver = over.mock.calls.length > 0;
    await vi.advanceTimersByTimeAsync(150);
    await call;
    return !isOver;
  };
  expect(await isFar("AS", "hinted", { locationHint: "weur" })).toBe(true);
  expect(await isFar("EU", "hinted")).toBe(false);
  expect(await isFar(CRON_CONTINENT, "swept")).toBe(false);
  expect(await isFar("EU", "swept", { locationHint: "weur" })).toBe(true);
});

it("bindings stay unchanged without a switch, and an unknown switch is named", () => {
  const env = { PLATFORM: "", DB };
  expect(limitBindings(env)).toBe(env);
  expect(readSwitches("latencies, overload")).toEqual(["latencies", "overload"]);
  expect(readSwitches("latencies,fast")).toEqual({ unknown: "fast" });
});
