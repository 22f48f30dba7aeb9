// Tests src/lib/group-commit.ts: which calls share a flush, when they are answered, and what a
// fault undoes.
import { describe, expect, it } from "vitest";
import { GroupCommit } from "../../../src/lib/group-commit.ts";

/** Makes a store that records its calls, and that flushes only when the test says so. */
function recorder() {
  const log: string[] = [];
  const flushes: (() => void)[] = [];
  const store = {
    transactionSync<T>(block: () => T): T {
      log.push("begin");
      return block();
    },
    sync: () => new Promise<void>((resolve) => flushes.push(resolve)),
  };
  const commit = new GroupCommit(store, {
    beforeCommit: () => log.push("before commit"),
    afterCommit: async () => void log.push("committed"),
    afterRollback: () => log.push("rolled back"),
  });
  const flush = async () => {
    await expect.poll(() => flushes.length).toBeGreaterThan(0);
    flushes.shift()?.();
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  return { log, commit, flush };
}

/**
 * Begins the calls one after the other, without waiting for their results. Each call begins in a
 * new turn of the event loop.
 */
async function inTurn<Result>(
  calls: readonly (() => Promise<Result>)[],
): Promise<Promise<Result>[]> {
  const begun: Promise<Result>[] = [];
  for (const call of calls) {
    begun.push(call());
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return begun;
}

/** Lets three callers write, and ends their flushes. */
async function several({ commit, flush }: ReturnType<typeof recorder>): Promise<void> {
  const begun = await inTurn([1, 2, 3].map((one) => () => commit.run(() => one)));
  await flush();
  await flush();
  expect(await Promise.all(begun)).toEqual([1, 2, 3]);
}

describe("group commit", () => {
  it("writes the first caller at once and all callers during its flush together, and answers none before the flush", async () => {
    const { log, commit, flush } = recorder();
    const answers: string[] = [];
    const run = (name: string) => () =>
      commit.run(() => log.push(name)).then(() => answers.push(name));
    const [first] = await inTurn([run("a")]);
    expect(log).toEqual(["begin", "a", "before commit"]);
    const others = await inTurn([run("b"), run("c")]);
    expect(answers).toEqual([]);
    await flush();
    expect(answers).toEqual(["a"]);
    await flush();
    await Promise.all([first, ...others]);
    const [one, both] = ["begin|a|before commit|committed", "begin|b|c|before commit|committed"];
    expect(log.join("|")).toBe(`${one}|${both}`);
    expect(answers).toEqual(["a", "b", "c"]);
  });

  it("gathers for a moment while several callers write, and not once a caller is alone again", async () => {
    const store = recorder();
    const { log, commit, flush } = store;
    const begun = (): number => log.filter((entry) => entry === "begin").length;
    await several(store);
    expect(begun()).toBe(2);

    const gathering = commit.run(() => 4);
    await Promise.resolve();
    expect(begun()).toBe(2);
    await flush();
    expect(await gathering).toBe(4);

    const alone = commit.run(() => 5);
    await Promise.resolve();
    expect(begun()).toBe(4);
    await flush();
    expect(await alone).toBe(5);
  });

  it("stops gathering once as many callers write as the last group knew of", async () => {
    const store = recorder();
    const { log, commit, flush } = store;
    const begun = (): number => log.filter((entry) => entry === "begin").length;
    await several(store);

    const gathering = commit.run(() => 4);
    await Promise.resolve();
    await Promise.resolve();
    expect(begun()).toBe(2);
    const last = commit.run(() => 5);
    // The loop runs all microtasks, but no timer can fire.
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    expect(begun()).toBe(3);
    await flush();
    expect(await Promise.all([gathering, last])).toEqual([4, 5]);
  });

  it("keeps all work of one synchronous call together and counts it as one caller", async () => {
    const { log, commit, flush } = recorder();
    const together = ["a", "b", "c"].map((name) => commit.run(() => log.push(name)));
    await flush();
    await Promise.all(together);
    const next = commit.run(() => log.push("d"));
    await Promise.resolve();
    const first = "begin|a|b|c|before commit|committed";
    expect(log.join("|")).toBe(`${first}|begin|d|before commit`);
    await flush();
    await next;
  });

  it("rejects the whole group if one piece of work fails, and writes the next group", async () => {
    const { log, commit, flush } = recorder();
    const [first] = await inTurn([() => commit.run(() => 1)]);
    const good = commit.run(() => 2);
    const bad = commit.run(() => {
      throw new Error("no room");
    });
    const settled = Promise.allSettled([good, bad]);
    await flush();
    expect(await first).toBe(1);
    const outcomes = await settled;
    expect(outcomes.map((outcome) => outcome.status)).toEqual(["rejected", "rejected"]);
    expect(log.at(-1)).toBe("rolled back");
    const later = commit.run(() => 3);
    await flush();
    expect(await later).toBe(3);
  });
});
