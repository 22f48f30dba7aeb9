// What src/mail/deliver/semaphore.ts guarantees: so many hold a turn at once, in the order in which
// they came, and a turn that ended twice ended once.
import { expect, it } from "vitest";
import { Semaphore } from "../../../../src/mail/deliver/semaphore.ts";

it("lets so many in at once, first come, first served", async () => {
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

it("counts a turn that ended twice once", async () => {
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
