// Tests that work on large bodies takes turns (src/lib/large-turns.ts).
import { expect, it } from "vitest";
import { runInTurn } from "../../../src/lib/large-turns.ts";

const LARGE = 1024 * 1024;

it("large work runs one piece at a time, small work at once, and failed work frees its turn", async () => {
  const order: string[] = [];
  const note = (name: string) => () => void order.push(name);
  const fail = (): never => {
    throw new Error("not JSON");
  };
  const first = runInTurn(LARGE, note("large 1"));
  const failed = runInTurn(LARGE, fail);
  const second = runInTurn(LARGE, note("large 2"));
  await runInTurn(10, note("small"));
  expect(order).toEqual(["large 1", "small"]);
  await first;
  await expect(failed).rejects.toThrow("not JSON");
  await second;
  expect(order).toEqual(["large 1", "small", "large 2"]);
});
