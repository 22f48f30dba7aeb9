// Tests reads of the core database that a replica may answer (src/db/core-reads.ts, docs/scaling.md
// §Read replication). Local D1 has no replicas, so the tests use a fake that has one.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { markOwnChange, readNear } from "../../../src/db/core-reads.ts";
import { Replicated } from "../../support/fakes/replicated-database.ts";

const MINUTE = 60_000;
const NOW = Date.UTC(2031, 0, 15, 12);

let core: Replicated;

const at = (now: number) => vi.setSystemTime(now);
const valueIn = (db: D1Database) =>
  db
    .prepare("SELECT value FROM sample")
    .first<string>("value")
    .then((value) => value ?? undefined);
const read = () => readNear(core.database, valueIn);

beforeEach(() => {
  markOwnChange();
  at(NOW);
  core = new Replicated();
});

describe("a read of data that may be a minute old", () => {
  it("goes to the primary once a minute, and to the replica in between", async () => {
    core.write("one");
    core.catchUp();
    expect([await read(), await read(), await read()]).toEqual(["one", "one", "one"]);
    at(NOW + MINUTE);
    await read();
    expect(core.answered).toEqual(["primary", "replica", "replica", "primary"]);
  });

  it("is at most a minute old, however far the replica lags", async () => {
    core.write("one");
    core.catchUp();
    await read();
    core.write("two");
    at(NOW + MINUTE - 1);
    expect(await read()).toBe("one");
    at(NOW + MINUTE);
    expect([await read(), await read()]).toEqual(["two", "two"]);
    expect(core.answered.slice(-2)).toEqual(["primary", "primary"]);
  });

  it("is repeated on the primary if the replica finds nothing or fails", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    core.write(null);
    core.catchUp();
    await read();
    core.write("new");
    expect(await read()).toBe("new");
    core.catchUp();
    core.replicaFails = true;
    expect(await read()).toBe("new");
    expect(core.answered.slice(-2)).toEqual(["failed", "primary"]);
  });

  it("sees the isolate's own change at once", async () => {
    core.write("one");
    core.catchUp();
    await read();
    core.write("two");
    markOwnChange();
    expect(await read()).toBe("two");
  });

  it("fails if the primary fails too", async () => {
    core.primaryFails = true;
    await expect(read()).rejects.toThrow("down");
  });
});
