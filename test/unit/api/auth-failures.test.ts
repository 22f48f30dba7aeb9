// Tests the failure counter of one IP address, with a moved clock: 20 different failures within
// five minutes block the address for fifteen minutes.
import { describe, expect, it } from "vitest";
import {
  AUTH_BLOCK_MS,
  AUTH_FAILURE_REPEAT_MS,
  AUTH_FAILURE_WINDOW_MS,
} from "../../../src/limits.ts";
import { bindings } from "../../support/api.ts";

const START = 1_800_000_000_000;

const counter = () => bindings.AUTH_FAILURES.getByName(`test ${crypto.randomUUID()}`);

describe("a failure counter", () => {
  it("blocks from the twentieth failure on, and answers the twentieth itself as unblocked", async () => {
    const failures = counter();
    for (let at = 0; at < 20; at += 1) expect(await failures.fail(`key ${at}`, START + at)).toBe(0);
    expect(await failures.fail("another key", START + 20)).toBe(START + 19 + AUTH_BLOCK_MS);
  });

  it("does not extend a block, whatever is presented meanwhile", async () => {
    const failures = counter();
    for (let at = 0; at < 20; at += 1) await failures.fail(`key ${at}`, START);
    for (let at = 0; at < 50; at += 1)
      expect(await failures.fail(`more ${at}`, START + at * 1_000)).toBe(START + AUTH_BLOCK_MS);
    expect(await failures.fail("afterwards", START + AUTH_BLOCK_MS)).toBe(0);
  });

  it("never blocks one key that a program repeats for an hour", async () => {
    const failures = counter();
    for (let at = 0; at < 60; at += 1) {
      expect(await failures.fail("stale", START + at * 60_000)).toBe(0);
      expect(await failures.fail("stale", START + at * 60_000 + 30_000)).toBe(0);
    }
  });

  it("counts a repeated key again after a minute", async () => {
    const failures = counter();
    for (let at = 0; at < 18; at += 1) await failures.fail(`key ${at}`, START);
    await failures.fail("stale", START);
    await failures.fail("stale", START + AUTH_FAILURE_REPEAT_MS - 1);
    expect(await failures.fail("fresh", START + AUTH_FAILURE_REPEAT_MS - 1)).toBe(0);
    expect(await failures.fail("any", START + AUTH_FAILURE_REPEAT_MS)).toBeGreaterThan(0);
    const others = counter();
    for (let at = 0; at < 18; at += 1) await others.fail(`key ${at}`, START);
    await others.fail("stale", START);
    await others.fail("stale", START + AUTH_FAILURE_REPEAT_MS);
    expect(await others.fail("any", START + AUTH_FAILURE_REPEAT_MS)).toBeGreaterThan(0);
  });

  it("forgets a failure after five minutes", async () => {
    const failures = counter();
    for (let at = 0; at < 19; at += 1) await failures.fail(`key ${at}`, START);
    expect(await failures.fail("late", START + AUTH_FAILURE_WINDOW_MS)).toBe(0);
    expect(await failures.fail("later", START + AUTH_FAILURE_WINDOW_MS)).toBe(0);
  });
});
