// Tests the semaphore (src/mail/deliver/semaphore.ts): the limit, the order, and that freeing a
// place twice has the effect of freeing it once.
import { expect, it } from "vitest";
import { Semaphore } from "../../../../src/mail/deliver/semaphore.ts";

it("a semaphore lets in as many as its limit, first come, first served", async () => {
  const turns = new Semaphore(2);
  const entered: number[] = [];
  const enter = async (who: number): Promise<() => void> => {
    const leave = await turns.enter();
    entered.push(who);
    return leave;
  };
  const [first, second, third, fourth] = [1, 2, 3, 4].map(enter);
  (await first)?.();
  await third;
  expect(entered).toEqual([1, 2, 3]);
  (await second)?.();
  await fourth;
  expect(entered).toEqual([1, 2, 3, 4]);
});

it("a semaphore frees a place once, even if its holder leaves twice", async () => {
  const turns = new Semaphore(1);
  const leave = await turns.enter();
  leave();
  leave();
  let isIn = 0;
  const work = async (): Promise<void> => {
    isIn += 1;
    expect(isIn).toBe(1);
    await scheduler.wait(1);
    isIn -= 1;
  };
  await Promise.all([
    turns.take(work),
    turns.take(work),
    turns.take(() => Promise.reject(new Error("failed"))).catch(() => undefined),
  ]);
  expect(await turns.take(async () => isIn)).toBe(0);
});
