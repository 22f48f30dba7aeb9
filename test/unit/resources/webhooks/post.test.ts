// Tests one attempt at a webhook delivery (src/resources/webhooks/post.ts): the request, and the
// outcome for everything that a receiver may do.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { settingsOf } from "../../../../src/settings.ts";
import type { PostAttempt } from "../../../../src/resources/webhooks/post.ts";
import { bindings } from "../../../support/api.ts";
import { FakeReceiver } from "../../../support/fakes/fake-receiver.ts";
import { attempt, URL_TEXT } from "./one-attempt.ts";

const HANG = new Promise<never>(() => undefined);

let receiver: FakeReceiver;

beforeEach(() => {
  receiver = new FakeReceiver().install();
});

/**
 * Makes a response body of several chunks. The body ends after the last chunk, or stays open if
 * `goesOn` is true.
 */
function pieces(
  chunks: readonly string[],
  goesOn = false,
  onCancel = () => undefined as void,
): ReadableStream {
  const left = chunks.map((chunk) => new TextEncoder().encode(chunk));
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      const next = left.shift();
      if (next) return controller.enqueue(next);
      if (goesOn) return HANG;
      controller.close();
      controller.byobRequest?.respond(0);
    },
    cancel: onCancel,
  });
}

const x = (count: number) => "x".repeat(count);
const moved = (body: string | null, status: number, to: string) =>
  new Response(body, { status, headers: { Location: to } });

describe("the request of a delivery", () => {
  it("is one POST to the URL, with the body made and signed for the time of sending, and no other headers", async () => {
    const before = Math.floor(Date.now() / 1_000);
    await attempt();
    const { url, method, headers, body, redirect } = receiver.only;
    expect({ url, method, redirect }).toEqual({
      url: URL_TEXT,
      method: "POST",
      redirect: "manual",
    });
    const { timestamp } = JSON.parse(body) as { timestamp: number };
    expect(timestamp).toBeGreaterThanOrEqual(before);
    expect(timestamp).toBeLessThanOrEqual(Date.now() / 1_000);
    expect(headers["service-timestamp"]).toBe(String(timestamp));
    expect(Object.keys(headers).toSorted().join(" ")).toBe(
      "accept-encoding content-type service-batch-id service-signature service-timestamp " +
        "user-agent webhook-id webhook-signature webhook-timestamp",
    );
  });

  it("begins its headers with HEADER_PREFIX", async () => {
    await attempt(URL_TEXT, settingsOf({ ...bindings, HEADER_PREFIX: "Acme-Mail" }));
    expect(receiver.only.headers).toMatchObject({
      "acme-mail-batch-id": "wbt_1",
      "user-agent": "Acme-Mail-Webhooks/1.0",
    });
    expect(
      Object.keys(receiver.only.headers).filter((name) => name.startsWith("service-")),
    ).toEqual([]);
  });

  it.each(["Webhook", "webhook", "-A", "A-", "1A", "A B", "A:", "É", "A_B", "x".repeat(33)])(
    "never begins its headers with the prefix %j",
    (HEADER_PREFIX) => {
      expect(() => settingsOf({ ...bindings, HEADER_PREFIX })).toThrow("HEADER_PREFIX");
    },
  );
});

describe("the outcome of a response", () => {
  it.each([
    ["200", () => new Response("ok"), 200, true, "ok"],
    ["an empty 200", () => new Response(""), 200, true, null],
    ["204", () => new Response(null, { status: 204 }), 204, true, null],
    ["299", () => new Response("x", { status: 299 }), 299, true, "x"],
    ["301", () => moved("moved", 301, "https://hooks.example.com/other"), 301, false, "moved"],
    ["307", () => moved(null, 307, "/other"), 307, false, null],
    ["304", () => new Response(null, { status: 304 }), 304, false, null],
    ["400", () => new Response("no", { status: 400 }), 400, false, "no"],
    ["410", () => new Response("gone", { status: 410 }), 410, false, "gone"],
    ["500", () => new Response("oops", { status: 500 }), 500, false, "oops"],
  ])("follows from %s", async (_, answer, status, isSuccess, preview) => {
    receiver.answer = answer;
    const latencyMs: unknown = expect.any(Number);
    expect(await attempt()).toEqual({ kind: "answered", status, isSuccess, preview, latencyMs });
    expect(receiver.received).toHaveLength(1);
  });

  it.each<[string, BodyInit | ReadableStream, string]>([
    ["1,024 bytes", x(1_024), x(1_024)],
    ["1,025 bytes", `${x(1_024)}y`, x(1_024)],
    ["256 KiB", x(256 * 1_024), x(1_024)],
    ["a body in pieces", pieces(["a", "b", "c"]), "abc"],
    ["a character cut in two by the end", `${x(1_023)}é`, x(1_023)],
    ["four bytes cut after three", `${x(1_021)}\u{1f389}`, x(1_021)],
    ["a character of two bytes", new Uint8Array([0x61, 0xc3, 0xa9]), "aé"],
    ["bytes that are not UTF-8", new Uint8Array([0x61, 0xff, 0x62, 0xe2, 0x82]), "a\ufffdb\ufffd"],
  ])("shows the beginning of %s", async (_, body, preview) => {
    receiver.answer = () => new Response(body);
    expect(await attempt()).toMatchObject({ kind: "answered", isSuccess: true, preview });
    expect(receiver.received).toHaveLength(1);
  });

  it("is a failure if the body never ends, and the worker closes the connection", async () => {
    let given = 0;
    const signals: AbortSignal[] = [];
    receiver.answer = ({ signal }) => {
      signals.push(signal);
      return new Response(
        new ReadableStream({
          type: "bytes",
          pull(controller) {
            given += 1_000;
            controller.enqueue(new Uint8Array(1_000).fill(0x61));
          },
        }),
      );
    };
    expect(await attempt()).toEqual({ kind: "unreachable", latencyMs: 1_000 });
    expect(given).toBeLessThanOrEqual(300_000);
    expect(signals[0]?.aborted).toBe(true);
  });

  it.each<[string, () => Response | Promise<Response>]>([
    ["no connection", () => Promise.reject(new TypeError("Network connection lost."))],
    ["a fault that is no Error", () => Promise.reject("odd")],
    [
      "a body that breaks off",
      () =>
        new Response(
          new ReadableStream({
            type: "bytes",
            start(controller) {
              controller.enqueue(new TextEncoder().encode("part"));
              controller.error(new Error("Network connection lost."));
            },
          }),
        ),
    ],
  ])("shows %s only as a missing answer", async (_, answer) => {
    receiver.answer = answer;
    expect(await attempt()).toEqual({ kind: "unreachable", latencyMs: 1_000 });
  });
});

describe("the time limit of 5 seconds", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  });

  it("applies to headers and body together, even if the receiver ignores the end of the connection", async () => {
    const scheduled = <Value>(ms: number, value: Value) =>
      new Promise<Value>((resolve) => setTimeout(() => resolve(value), ms));
    const dripping = () => {
      let dripped = 0;
      return new ReadableStream({
        type: "bytes",
        async pull(controller) {
          await scheduled(100, null);
          dripped += 1;
          controller.enqueue(new TextEncoder().encode(String(dripped % 10)));
        },
      });
    };
    const answers: Record<string, () => Response | Promise<Response>> = {
      "/silent": () => HANG,
      "/stuck": () => new Response(pieces(["a"], true)),
      "/dripping": () => new Response(dripping()),
      "/late": () => scheduled(4_000, new Response("late")),
    };
    const heard = Promise.withResolvers<void>();
    receiver.answer = ({ url }) => {
      if (receiver.received.length === 4) heard.resolve();
      return answers[new URL(url).pathname]?.() ?? new Response(null, { status: 404 });
    };
    const ended = new Map<string, PostAttempt>();
    const all = Promise.all(
      Object.keys(answers).map(async (path) =>
        ended.set(path, await attempt(`https://hooks.example.com${path}`)),
      ),
    );
    await heard.promise;
    await vi.advanceTimersByTimeAsync(4_999);
    const late = { kind: "answered", status: 200, isSuccess: true, preview: "late" };
    expect([...ended]).toEqual([["/late", { ...late, latencyMs: 4_000 }]]);
    await vi.advanceTimersByTimeAsync(1);
    await all;
    for (const path of ["/silent", "/stuck", "/dripping"])
      expect(ended.get(path)).toEqual({ kind: "timed_out", latencyMs: 5_000 });
  });
});
