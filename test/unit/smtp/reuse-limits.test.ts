// Tests what the client learns about a server that takes fewer messages over one connection than
// the client would send (smtp-gateway/src/smtp/reuse-limits.ts).
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ReuseLimits } from "../../../smtp-gateway/src/smtp/reuse-limits.ts";

const MOST = 100;
const SERVER = { host: "mx.test", port: 25 };
const MINUTE = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});

describe("the limit of a server", () => {
  it.each([
    ["mail", "end", 3],
    ["mail", "rcpt", 3],
    ["rcpt", "end", 3],
    ["mail", "mail", MOST],
    ["rcpt", "rcpt", MOST],
    ["rcpt", "mail", MOST],
    ["mail", null, MOST],
  ] as const)(
    "after a refusal at %s, if a fresh connection gets its answer at %s, is %d",
    (stage, reached, messages) => {
      const limits = new ReuseLimits(MOST);
      limits.learn(SERVER, { stage, after: 3 }, reached);
      expect(limits.messagesFor(SERVER)).toBe(messages);
      expect(limits.messagesFor({ ...SERVER, port: 26 })).toBe(MOST);
    },
  );

  it("falls with a lower refusal, never rises with a higher one, and is forgotten in time", () => {
    const limits = new ReuseLimits(MOST);
    expect(limits.learn(SERVER, { stage: "mail", after: 5 }, "end")).toBe(5);
    expect(limits.learn(SERVER, { stage: "mail", after: 9 }, "end")).toBe(5);
    vi.advanceTimersByTime(9 * MINUTE);
    expect(limits.learn(SERVER, { stage: "mail", after: 1 }, "end")).toBe(1);
    vi.advanceTimersByTime(9 * MINUTE);
    expect(limits.messagesFor(SERVER)).toBe(1);
    vi.advanceTimersByTime(2 * MINUTE);
    expect(limits.messagesFor(SERVER)).toBe(MOST);
  });

  it("is kept for ten thousand servers, and the oldest limit is dropped first", () => {
    const limits = new ReuseLimits(MOST);
    for (let port = 0; port <= 10_000; port += 1)
      limits.learn({ host: "mx.test", port }, { stage: "mail", after: 1 }, "end");
    const messages = [0, 1, 10_000].map((port) => limits.messagesFor({ host: "mx.test", port }));
    expect(messages).toEqual([MOST, 1, 1]);
  });
});
