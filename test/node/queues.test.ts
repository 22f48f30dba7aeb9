// Compares wrangler.toml with src/resources/dead-letters/job-queues.ts: every queue has a
// dead-letter queue with a consumer, and gives up after the number of attempts that the consumers
// expect.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { EVENTS_QUEUE } from "../../tools/setup/event-subscriptions.ts";
import { QUEUE_ATTEMPTS, queueOfDead } from "../../src/resources/dead-letters/job-queues.ts";

interface Queues {
  readonly producers?: readonly { readonly queue: string }[];
  readonly consumers?: readonly {
    readonly queue: string;
    readonly dead_letter_queue?: string;
    readonly max_retries?: number;
  }[];
}

const { queues } = parse(
  readFileSync(join(import.meta.dirname, "../../wrangler.toml"), "utf8"),
) as unknown as { readonly queues: Queues };
const consumers = queues.consumers ?? [];
const consumer = (queue: string) => consumers.find((one) => one.queue === queue);

describe("the queues", () => {
  it("are all known, each with its consumer and its dead-letter queue", () => {
    expect(queues.producers?.map(({ queue }) => queue).toSorted()).toEqual(
      Object.keys(QUEUE_ATTEMPTS).toSorted(),
    );
    for (const queue of Object.keys(QUEUE_ATTEMPTS)) {
      const dead = consumer(queue)?.dead_letter_queue;
      expect(dead).toBe(`${queue}-dead`);
      expect(queueOfDead(dead ?? "")).toBe(queue);
      expect(consumer(dead ?? "")?.max_retries).toBe(100);
    }
  });

  it.each(Object.entries(QUEUE_ATTEMPTS))("deliver a job of %s %i times", (queue, attempts) => {
    expect((consumer(queue)?.max_retries ?? 0) + 1).toBe(attempts);
  });

  it("include the queue of the Email Service's events, which retries for days and never gives up", () => {
    expect(consumer(EVENTS_QUEUE)).toMatchObject({ max_retries: 100 });
    expect(consumer(EVENTS_QUEUE)?.dead_letter_queue).toBeUndefined();
  });

  it("recognise no other queue as a dead-letter queue", () => {
    for (const queue of ["postern-deliver", "-dead", "other-dead", "toString-dead", ""])
      expect(queueOfDead(queue)).toBeUndefined();
  });
});
