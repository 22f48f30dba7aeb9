// Tests smtp-gateway/src/inbound/bundler.ts and its requests to the worker: messages that arrive at
// the same time share a request, and each gets its own answer.
import { beforeEach, describe, expect, it } from "vitest";
import { Bundler } from "../../smtp-gateway/src/inbound/bundler.ts";
import { setLogLevel } from "../../smtp-gateway/src/gateway-log.ts";
import { WorkerApi } from "../../smtp-gateway/src/inbound/worker-api.ts";
import { ACCEPTED, type FakeWorker, GOOD_KEY, TOKEN, type ScriptedAnswer } from "./fake-worker.ts";
import { cleanups, eventually } from "./gateway-harness.ts";
import { startWorker } from "./mail-harness.ts";

const CLIENT = "203.0.113.9";

let worker: FakeWorker;
let api: WorkerApi;
let bundler: Bundler;

beforeEach(async () => {
  setLogLevel("none");
  worker = await startWorker();
  api = new WorkerApi(worker.origin, TOKEN, 2_000);
  cleanups.push(() => api.close());
  bundler = new Bundler(api);
});

function frame(text: string): Buffer {
  return Buffer.concat([Buffer.from([0, 0, 0, 2]), Buffer.from(`{}${text}`)]);
}

function submit(text: string, key = GOOD_KEY, client = CLIENT) {
  return bundler.submit(key, client, frame(text));
}

/**
 * Submits the first message, which the worker answers after `after` milliseconds, and submits
 * `texts` before that answer.
 */
async function submitDuring(texts: readonly string[], after = 40) {
  const slow: ScriptedAnswer = { ...ACCEPTED, after };
  worker.answers["messages"] = [slow, ...(worker.answers["messages"] ?? [])];
  const first = submit("first");
  await eventually(() => worker.messages.at(-1)?.message === "first");
  return [first, ...texts.map((text) => submit(text))];
}

const answersDuring = async (given: readonly string[]) => Promise.all(await submitDuring(given));

const texts = () => worker.messages.map(({ message }) => message);

describe("messages of one key and address", () => {
  it("share a request only while another request is running", async () => {
    await submit("alone");
    expect(worker.bundles).toEqual([]);
    const answers = await answersDuring(["a", "b", "c"]);
    expect(answers.map((answer) => answer?.status)).toEqual([202, 202, 202, 202]);
    expect(worker.bundles).toEqual([3]);
    expect(texts()).toEqual(["alone", "first", "a", "b", "c"]);
    await submit("alone again");
    expect(worker.bundles).toEqual([3]);
  });

  it("wait only some milliseconds for the running request", async () => {
    const [first, second, third] = await submitDuring(["a", "b"], 1_000);
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
    const answers = await answersDuring(["a", "b", "c"]);
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

  it("are submitted alone if they are large, and else at most 32 together", async () => {
    const large = "x".repeat(70_000);
    const many = Array.from({ length: 40 }, (_, index) => String(index));
    await answersDuring([large, ...many]);
    expect(worker.bundles).toEqual([32, 8]);
    expect([...texts()].sort()).toEqual(["first", large, ...many].sort());
  });
});

it("a bundle never holds messages of two keys or of two addresses", async () => {
  const first = await submitDuring(["a", "b"]);
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
    const answers = await answersDuring(["a", "b"]);
    expect(answers.map((answer) => answer?.status)).toEqual([202, 202, 202]);
    expect(worker.messages).toHaveLength(3 * round);
  }
  expect(worker.requests.filter(({ path }) => path === "/gateway/message-bundles")).toHaveLength(1);
});

it.each(["before", "inside"] as const)(
  "a bundle is not submitted again after its answer was cut %s",
  async (cut) => {
    worker.answers["messages"] = [{ ...ACCEPTED, cut }];
    const answers = await answersDuring(["a", "b"]);
    expect(answers.map((answer) => answer?.status)).toEqual([202, undefined, undefined]);
    expect(texts()).toEqual(["first", "a", "b"]);
  },
);

it("each message of a bundle gets the status by which the worker refused the bundle", async () => {
  for (const status of [401, 402, 403, 500, 503]) {
    worker.answers["message-bundles"] = [{ status }];
    worker.supportsBundles = false;
    bundler = new Bundler(api);
    const answers = await answersDuring(["a", "b"]);
    expect(answers.map((answer) => answer?.status)).toEqual([202, status, status]);
  }
  expect(new Set(texts())).toEqual(new Set(["first"]));
});

it("a worker that answers too late counts as a worker that did not answer", async () => {
  const impatient = new WorkerApi(worker.origin, TOKEN, 500);
  cleanups.push(() => impatient.close());
  worker.answers["key"] = [{ status: 204, after: 10_000 }];
  expect(await impatient.judgeKey(GOOD_KEY, CLIENT)).toBeNull();
  const judged = await impatient.judgeKey(GOOD_KEY, CLIENT);
  expect(judged).toMatchObject({ status: 204, requestId: "req_for-tests" });
  const asked = { method: "GET", client: CLIENT, key: GOOD_KEY };
  expect(worker.requests.at(-1)).toMatchObject(asked);
});
