// Tests smtp-gateway/src/inbound/bundler.ts: messages that arrive at the same time share a request,
// and each gets its own answer.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Bundler } from "../../smtp-gateway/src/inbound/bundler.ts";
import { setLogLevel } from "../../smtp-gateway/src/gateway-log.ts";
import { WorkerApi } from "../../smtp-gateway/src/inbound/worker-api.ts";
import { EMAIL_ID, FakeWorker, GOOD_KEY, TOKEN, type ScriptedAnswer } from "./fake-worker.ts";
import { eventually } from "./gateway-harness.ts";

const CLIENT = "203.0.113.9";
const ACCEPTED = { status: 202, body: { id: EMAIL_ID, created_at: "2026-11-21T00:00:00.000Z" } };

let worker: FakeWorker;
let api: WorkerApi;
let bundler: Bundler;

beforeEach(async () => {
  setLogLevel("none");
  worker = new FakeWorker();
  await worker.listen();
  api = new WorkerApi(worker.origin, TOKEN, 2_000);
  bundler = new Bundler(api);
});

afterEach(async () => {
  await api.close();
  await worker.close();
});

function frame(text: string): Buffer {
  return Buffer.concat([Buffer.from([0, 0, 0, 2]), Buffer.from(`{}${text}`)]);
}

function submit(text: string, key = GOOD_KEY, client = CLIENT) {
  return bundler.submit(key, client, frame(text));
}

/**
 * Submits the first message, which the worker answers with `slow`, and submits `texts` before that
 * answer.
 */
async function submitDuring(slow: ScriptedAnswer, texts: readonly string[]) {
  worker.answers["messages"] = [slow, ...(worker.answers["messages"] ?? [])];
  const first = submit("first");
  await eventually(() => worker.messages.at(-1)?.message === "first");
  return [first, ...texts.map((text) => submit(text))];
}

const texts = () => worker.messages.map(({ message }) => message);

describe("messages of one key and address", () => {
  it("go alone if no request is under way, and together if a request is", async () => {
    await submit("alone");
    expect(worker.bundles).toEqual([]);
    const answers = await Promise.all(
      await submitDuring({ ...ACCEPTED, after: 40 }, ["a", "b", "c"]),
    );
    expect(answers.map((answer) => answer?.status)).toEqual([202, 202, 202, 202]);
    expect(worker.bundles).toEqual([3]);
    expect(texts()).toEqual(["alone", "first", "a", "b", "c"]);
    await submit("alone again");
    expect(worker.bundles).toEqual([3]);
  });

  it("wait only some milliseconds for the request under way", async () => {
    const [first, second, third] = await submitDuring({ ...ACCEPTED, after: 1_000 }, ["a", "b"]);
    let isAnswered = false;
    void first?.then(() => (isAnswered = true));
    expect((await second)?.status).toBe(202);
    expect((await third)?.status).toBe(202);
    expect(isAnswered).toBe(false);
    await first;
  });

  it("each get their own answer, as if they came alone", async () => {
    const blocked = { status: 403, body: { error: {} }, headers: { "retry-after": "9" } };
    worker.answers["messages"] = [
      { status: 422, body: { error: { errors: { from: ["x"] } } } },
      ACCEPTED,
      blocked,
    ];
    const answers = await Promise.all(
      await submitDuring({ ...ACCEPTED, after: 40 }, ["a", "b", "c"]),
    );
    expect(answers.slice(1)).toEqual([
      {
        status: 422,
        retryAfter: false,
        body: { error: { errors: { from: ["x"] } } },
        requestId: "req_for-tests",
      },
      { ...ACCEPTED, retryAfter: false, requestId: "req_for-tests" },
      { status: 403, retryAfter: true, body: { error: {} }, requestId: "req_for-tests" },
    ]);
  });

  it("go alone when they are large, and otherwise at most 32 together", async () => {
    const large = "x".repeat(70_000);
    const many = Array.from({ length: 40 }, (_, index) => String(index));
    await Promise.all(await submitDuring({ ...ACCEPTED, after: 40 }, [large, ...many]));
    expect(worker.bundles).toEqual([32, 8]);
    expect([...texts()].sort()).toEqual(["first", large, ...many].sort());
  });
});

it("a bundle never holds messages of two keys or of two addresses", async () => {
  const first = await submitDuring({ ...ACCEPTED, after: 40 }, ["a", "b"]);
  const others = [
    submit("c", "ps_other"),
    submit("d", "ps_other"),
    submit("e", "ps_other"),
    submit("f", GOOD_KEY, "203.0.113.10"),
  ];
  const answers = await Promise.all([...first, ...others]);
  expect(answers.map((answer) => answer?.status)).toEqual([202, 202, 202, 401, 401, 401, 202]);
  for (const { key, client, message } of worker.messages) {
    expect(key).toBe("cde".includes(message) ? "ps_other" : GOOD_KEY);
    expect(client).toBe(message === "f" ? "203.0.113.10" : CLIENT);
  }
});

it("a worker without the bundle route gets each message alone, and no further bundle", async () => {
  worker.supportsBundles = false;
  for (const round of [1, 2]) {
    const answers = await Promise.all(await submitDuring({ ...ACCEPTED, after: 40 }, ["a", "b"]));
    expect(answers.map((answer) => answer?.status)).toEqual([202, 202, 202]);
    expect(worker.messages).toHaveLength(3 * round);
  }
  expect(worker.requests.filter(({ path }) => path === "/gateway/message-bundles")).toHaveLength(1);
});

it.each(["before", "inside"] as const)(
  "a bundle is not submitted again after its answer was cut %s",
  async (cut) => {
    worker.answers["messages"] = [{ ...ACCEPTED, cut }];
    const answers = await Promise.all(await submitDuring({ ...ACCEPTED, after: 40 }, ["a", "b"]));
    expect(answers.map((answer) => answer?.status)).toEqual([202, undefined, undefined]);
    expect(texts()).toEqual(["first", "a", "b"]);
  },
);

it("each message of a bundle gets the status by which the worker refused the bundle", async () => {
  for (const status of [401, 402, 403, 500, 503]) {
    worker.answers["message-bundles"] = [{ status }];
    worker.supportsBundles = false;
    bundler = new Bundler(api);
    const answers = await Promise.all(await submitDuring({ ...ACCEPTED, after: 40 }, ["a", "b"]));
    expect(answers.map((answer) => answer?.status)).toEqual([202, status, status]);
  }
  expect(new Set(texts())).toEqual(new Set(["first"]));
});
