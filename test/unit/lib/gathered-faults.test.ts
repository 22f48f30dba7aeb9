// Tests work that goes on although a part of it fails (src/lib/gathered-faults.ts).
import { expect, it } from "vitest";
import { workOnAll } from "../../../src/lib/gathered-faults.ts";

it("workOnAll() works on every item although some fail, and throws all faults at the end", async () => {
  const done: number[] = [];
  const work = async (item: number): Promise<void> => {
    if (item % 3 === 0) throw new Error(`item ${item}`);
    done.push(item);
  };
  const faults = [new Error("item 3"), new Error("item 6")];
  await expect(workOnAll([1, 2, 3, 4, 5, 6, 7], 2, work)).rejects.toMatchObject({ errors: faults });
  expect(done).toEqual([1, 2, 4, 5, 7]);
});

it("workOnAll() works on no more items at the same time than allowed", async () => {
  let [running, most] = [0, 0];
  await workOnAll(Array.from({ length: 9 }), 3, async () => {
    running += 1;
    most = Math.max(most, running);
    await scheduler.wait(1);
    running -= 1;
  });
  expect(most).toBe(3);
});
