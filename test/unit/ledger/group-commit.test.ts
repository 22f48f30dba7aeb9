// What src/ledger/group-commit.ts guarantees.
import { describe, expect, it } from "vitest";
import { GroupCommit } from "../../../src/ledger/group-commit.ts";

/** A store that writes down what happens and flushes when told. */
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
    seal: () => log.push("seal"),
    committed: async () => void log.push("committed"),
    undone: () => log.push("undone"),
  });
  const flush = async () => {
    flushes.shift()?.();
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  return { log, commit, flush };
}

describe("group commit", () => {
  it("writes the first caller at once and all who came during its flush together, answering none before the disk has it", async () => {
    const { log, commit, flush } = recorder();
    const answers: string[] = [];
    const run = (name: string) => commit.run(() => log.push(name)).then(() => answers.push(name));
    const all = [run("a"), run("b"), run("c")];
    expect(log).toEqual(["begin", "a", "seal"]);
    await flush();
    expect(answers).toEqual(["a"]);
    expect(log).toEqual(["begin", "a", "seal", "committed", "begin", "b", "c", "seal"]);
    await flush();
    await Promise.all(all);
    expect(answers).toEqual(["a", "b", "c"]);
  });

  it("rejects the whole group when one work of it fails, and goes on with the next", async () => {
    const { log, commit, flush } = recorder();
    const first = commit.run(() => 1);
    const good = commit.run(() => 2);
    const bad = commit.run(() => {
      throw new Error("no room");
    });
    const settled = Promise.allSettled([good, bad]);
    await flush();
    expect(await first).toBe(1);
    const outcomes = await settled;
    expect(outcomes.map((outcome) => outcome.status)).toEqual(["rejected", "rejected"]);
    expect(log.at(-1)).toBe("undone");
    const later = commit.run(() => 3);
    await flush();
    expect(await later).toBe(3);
  });
});
