// Compares wrangler.toml with src/resources/dead-letters/job-queues.ts: every queue has a
// dead-letter queue with a consumer, and gives up after the number of attempts that the consumers
// expect.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { EVENTS_QUEUE } from "../../tools/setup/event-subscriptions.ts";
import {
  eventsQueueBeside,
  QUEUE_ATTEMPTS,
  queueNamed,
  type QueueName,
  queueOfDead,
} from "../../src/resources/dead-letters/job-queues.ts";

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
    const names = Object.keys(QUEUE_ATTEMPTS).flatMap((queue) => [queue, `${queue}-dead`]);
    // `wrangler deploy` makes no queue that only a consumer names.
    for (const named of [queues.producers ?? [], consumers])
      expect(named.map(({ queue }) => queue).toSorted()).toEqual(
        [...names, EVENTS_QUEUE].toSorted(),
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
    const others = ["postern-deliver", "-dead", "other-dead", "toString-dead", ""];
    for (const queue of [...others, "shop-email-events-dead", "-deliver-dead"])
      expect(queueOfDead(queue)).toBeUndefined();
  });

  it("are known by the ends of their names, whatever their deployment is called", () => {
    for (const queue of [...(Object.keys(QUEUE_ATTEMPTS) as QueueName[]), EVENTS_QUEUE] as const)
      for (const deployment of ["postern", "shop", "my-postern-2"]) {
        const name = queue.replace("postern", deployment);
        expect(queueNamed(name)).toBe(queue);
        expect(eventsQueueBeside(name)).toBe(`${deployment}-email-events`);
        expect(queueOfDead(`${name}-dead`)).toBe(queue === EVENTS_QUEUE ? undefined : queue);
      }
    for (const name of ["postern", "-deliver", "postern-delivery", ""])
      expect(queueNamed(name)).toBeUndefined();
  });
});
