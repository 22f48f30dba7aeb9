// Tests a call of the client (packages/postern/src/client): its request, its retries, how it ends,
// and the errors that it throws.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  ApiError,
  InvalidRequestError,
  AbsentError,
  ConflictError,
  FaultError,
  ForbiddenError,
  Postern,
  QuotaError,
  RateError,
  TimeoutError,
  UnauthenticatedError,
  UnreachableError,
} from "../../../packages/postern/src/client/postern.ts";
import { FakeApi, type FakeAnswer, type FakeReaction, refusal } from "./fake-api.ts";

const MESSAGE = { from: "a@example.com", to: ["b@example.net"], subject: "Hi", text: "Hi." };
const ACCEPTED = { status: 202, body: { id: "email_1", created_at: "2026-11-22T00:00:00Z" } };
const FAULT = refusal(502, "internal_error");
const OVER_RATE: FakeAnswer = {
  status: 429,
  body: { error: "rate_limit_exceeded", message: "Too many." },
  headers: { "Retry-After": "3" },
};
const DAILY = { scope: "daily", limit: 5 };
const OVER_QUOTA = { error: "quota_exceeded", message: "Over.", ...DAILY, retry_after_seconds: 9 };
const CSV = "email\na@example.net\n";
const DOMAIN = { status: 200, body: { id: "domain_1" } };
const page = (ids: readonly number[], next: string | null): FakeAnswer => ({
  status: 200,
  body: { data: ids.map((id) => ({ id })), has_more: next !== null, next_cursor: next },
});

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => vi.useRealTimers());

/**
 * Runs all timers, such as waits between the client's attempts, and returns the result or the
 * error.
 */
async function settled<Result>(call: Promise<Result>): Promise<Result | Error> {
  const outcome = call.catch((error: unknown) => error as Error);
  await vi.runAllTimersAsync();
  return outcome;
}

describe("a request", () => {
  it("has the key, the body as JSON and the path's parameters encoded", async () => {
    const api = new FakeApi([{ status: 200, body: { id: "sup_1" } }]);
    await api.client.suppressions.get("a/b@example.net", "*");
    await api.client.domains.create({ name: "example.com" });
    expect(api.asked.map(({ method, url, body }) => [method, url, body])).toEqual([
      ["GET", "https://api.example.com/v1/suppressions/a%2Fb%40example.net/*", ""],
      ["POST", "https://api.example.com/v1/domains", '{"name":"example.com"}'],
    ]);
    expect(api.asked[1]?.headers.get("Authorization")).toBe("Bearer ps_key");
    expect(api.asked[1]?.headers.get("Content-Type")).toBe("application/json");
    expect(api.asked[1]?.headers.get("User-Agent")).toBe("postern-client");
  });

  it.each(["", ".", ".."])("can't have the parameter %j, which leads to another path", (id) => {
    const api = new FakeApi([DOMAIN]);
    expect(() => api.client.domains.get(id)).toThrow(TypeError);
    expect(api.asked).toEqual([]);
  });

  it("repeats a query parameter for each item of its list", async () => {
    const api = new FakeApi([page([], null)]);
    await api.client.events.list({ tags: ["a", "b"], limit: 5 }).page();
    expect(api.asked[0]?.url).toBe("https://api.example.com/v1/events?tags=a&tags=b&limit=5");
  });

  it("sends and gets CSV as text, and returns nothing for a 204", async () => {
    const api = new FakeApi([
      { status: 202, body: { id: "imp_1" } },
      { status: 200, body: CSV, headers: { "Content-Type": "text/csv; charset=utf-8" } },
      { status: 204 },
    ]);
    await api.client.suppressions.import(CSV);
    expect(api.asked[0]?.headers.get("Content-Type")).toBe("text/csv");
    expect(api.asked[0]?.body).toBe(CSV);
    expect(await api.client.suppressions.export()).toBe(CSV);
    expect(await api.client.domains.delete("domain_1")).toBeUndefined();
  });
});

describe("a send", () => {
  it("that fails is repeated with the same Idempotency-Key and the same bytes", async () => {
    const api = new FakeApi(["none", FAULT, refusal(409, "idempotency_concurrent"), ACCEPTED]);
    expect(await settled(api.client.emails.send(MESSAGE))).toEqual(ACCEPTED.body);
    expect(api.asked).toHaveLength(4);
    expect(new Set(api.asked.map(({ headers }) => headers.get("Idempotency-Key"))).size).toBe(1);
    expect(api.asked[0]?.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(api.asked.map(({ body }) => body)).size).toBe(1);
  });

  it("has the caller's Idempotency-Key, or a new one for each call", async () => {
    const api = new FakeApi([ACCEPTED]);
    await api.client.emails.send(MESSAGE, { idempotencyKey: "receipt-1" });
    await api.client.emails.send(MESSAGE);
    await api.client.emails.sendBatch({ emails: [MESSAGE] });
    const keys = api.asked.map(({ headers }) => headers.get("Idempotency-Key"));
    expect(keys[0]).toBe("receipt-1");
    expect(new Set(keys).size).toBe(3);
  });
});

describe("a retry", () => {
  it("waits as long as Retry-After says", async () => {
    const api = new FakeApi([OVER_RATE, DOMAIN]);
    const call = api.client.domains.get("domain_1");
    await vi.advanceTimersByTimeAsync(2_999);
    expect(api.asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(300);
    expect(await call).toEqual(DOMAIN.body);
  });

  it("waits longer each time, up to four waits", async () => {
    const times: number[] = [];
    const counted = new Postern("ps_key", {
      baseUrl: "https://api.example.com",
      fetch: () => {
        times.push(Date.now());
        return Promise.resolve(Response.json(FAULT.body, { status: 502 }));
      },
    });
    expect(await settled(counted.domains.get("domain_1"))).toBeInstanceOf(FaultError);
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(waits).toHaveLength(4);
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(125 * 2 ** index);
      expect(wait).toBeLessThanOrEqual(250 * 2 ** index);
    }
  });

  it.each<[string, readonly FakeReaction[], number]>([
    ["an exceeded rate", [OVER_RATE, DOMAIN], 2],
    ["the service's own 502", [FAULT, DOMAIN], 2],
    ["a 503 that stored nothing", [refusal(503, "provisioning_error"), DOMAIN], 2],
    ["a 500", [refusal(500, "internal_error"), DOMAIN], 1],
    ["a gateway's 502", [{ status: 502, body: "<html>" }, DOMAIN], 1],
    ["no answer", ["none", DOMAIN], 1],
  ])(
    "of a request that must not arrive twice happens after %s only if the service did nothing",
    async (_, reactions, attempts) => {
      const api = new FakeApi(reactions);
      await settled(api.client.domains.create({ name: "example.com" }));
      expect(api.asked).toHaveLength(attempts);
    },
  );

  it("of a read happens after every fault", async () => {
    const faults = [
      "none",
      refusal(500, "internal_error"),
      { status: 502, body: "<html>" },
    ] as const;
    const api = new FakeApi([...faults, DOMAIN]);
    expect(await settled(api.client.domains.get("domain_1"))).toEqual(DOMAIN.body);
  });

  it("never happens after a quota, a refusal, or with maxRetries 0", async () => {
    const quota: FakeAnswer = { status: 429, body: OVER_QUOTA, headers: { "Retry-After": "1" } };
    for (const [reaction, options] of [
      [quota, {}],
      [refusal(422, "validation_error"), {}],
      [FAULT, { maxRetries: 0 }],
    ] as const) {
      const api = new FakeApi([reaction]);
      expect(await settled(api.client.emails.send(MESSAGE, options))).toBeInstanceOf(ApiError);
      expect(api.asked).toHaveLength(1);
    }
  });
});

describe("the end of a call", () => {
  it("by its deadline aborts the attempt under way", async () => {
    const hanging = new Postern("ps_key", {
      baseUrl: "https://api.example.com",
      timeoutMs: 5_000,
      fetch: (_, { signal }) =>
        new Promise((_resolve, reject) =>
          signal?.addEventListener("abort", () => reject(new Error("aborted"))),
        ),
    });
    expect(await settled(hanging.domains.get("domain_1"))).toBeInstanceOf(TimeoutError);
  });

  it("by its deadline comes at once if the next wait would be longer", async () => {
    const api = new FakeApi([OVER_RATE]);
    const error = await settled(api.client.domains.get("domain_1", { timeoutMs: 2_000 }));
    expect(error).toBeInstanceOf(RateError);
    expect(api.asked).toHaveLength(1);
  });

  it("by a signal has the signal's reason, even during a wait", async () => {
    const api = new FakeApi([OVER_RATE]);
    const mine = new AbortController();
    const call = api.client.domains.get("domain_1", { signal: mine.signal });
    const ended = call.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1_000);
    mine.abort(new Error("enough"));
    expect(await ended).toMatchObject({ message: "enough" });
    expect(api.asked).toHaveLength(1);
  });
});

describe("an error", () => {
  it.each([
    [refusal(400, "validation_error"), InvalidRequestError],
    [refusal(401, "authentication_error"), UnauthenticatedError],
    [refusal(402, "subscription_required"), ForbiddenError],
    [refusal(403, "permission_error"), ForbiddenError],
    [refusal(404, "not_found"), AbsentError],
    [refusal(409, "webhook_rotation_in_progress"), ConflictError],
    [refusal(412, "precondition_failed"), ConflictError],
    [{ status: 413, body: { error: "payload_too_large" } }, InvalidRequestError],
    [refusal(422, "idempotency_mismatch"), InvalidRequestError],
    [OVER_RATE, RateError],
    [refusal(500, "internal_error"), FaultError],
    ["none", UnreachableError],
  ] as const)("of %j has its class", async (reaction, kind) => {
    const api = new FakeApi([reaction], { maxRetries: 0 });
    expect(await settled(api.client.domains.get("domain_1"))).toBeInstanceOf(kind);
  });

  it("has the type, the fields and the request's id", async () => {
    const errors = { "to.0": ["is not an email address"] };
    const type = "validation_error";
    const body = { error: { type, message: "The request is not valid.", errors } };
    const api = new FakeApi([{ status: 400, body, headers: { "X-Request-Id": "req_7" } }]);
    expect(await settled(api.client.emails.send(MESSAGE))).toMatchObject({
      name: "InvalidRequestError",
      message: "400: The request is not valid.; to.0 is not an email address",
      status: 400,
      type,
      errors,
      requestId: "req_7",
      retryAfterSeconds: null,
    });
  });

  it("of a quota has its scope and its limit", async () => {
    const api = new FakeApi([{ status: 429, body: OVER_QUOTA, headers: { "Retry-After": "9" } }]);
    const error = await settled(api.client.emails.send(MESSAGE));
    expect(error).toBeInstanceOf(QuotaError);
    expect(error).toMatchObject({ type: "quota_exceeded", ...DAILY, retryAfterSeconds: 9 });
  });

  it("of a batch in which every message failed has the reason of each", async () => {
    const summary = { total: 1, queued: 0, failed: 1 };
    const body = { summary, data: [{ status: "failed", index: 0 }] };
    const api = new FakeApi([{ status: 400, body }]);
    const error = await settled(api.client.emails.sendBatch({ emails: [MESSAGE] }));
    expect(error).toMatchObject({ type: "batch_failed", body });
  });

  it("of an answer that is not the API's, such as a redirect, has an unknown type", async () => {
    const api = new FakeApi([{ status: 301, headers: { Location: "https://elsewhere.example" } }]);
    const error = await settled(api.client.emails.send(MESSAGE));
    expect(error).toMatchObject({ name: "ApiError", type: "unknown", body: null });
    expect(api.asked).toHaveLength(1);
  });
});

describe("a list", () => {
  it("is read item by item over its pages, and asks for a page when it is needed", async () => {
    const api = new FakeApi([page([1, 2], "c1"), page([], "c2"), page([3], null)]);
    const seen: unknown[] = [];
    for await (const { id } of api.client.events.list({ recipient: "a@example.net", limit: 2 })) {
      seen.push(id);
      if (seen.length === 1) expect(api.asked).toHaveLength(1);
    }
    expect(seen).toEqual([1, 2, 3]);
    const cursors = api.asked.map(({ url }) => new URL(url).searchParams.get("after"));
    expect(cursors).toEqual([null, "c1", "c2"]);
    expect(api.asked.every(({ url }) => url.includes("recipient=a%40example.net"))).toBe(true);
  });

  it("is read no further than its reader wants", async () => {
    const api = new FakeApi([page([1, 2], "c1")]);
    for await (const one of api.client.domains.list()) if (one) break;
    expect(api.asked).toHaveLength(1);
  });

  it("can also be read page by page", async () => {
    const api = new FakeApi([page([1], "c1")]);
    const found = await api.client.webhooks.list({ after: "c0" }).page();
    expect(found).toMatchObject({ next_cursor: "c1" });
    expect(api.asked[0]?.url).toContain("after=c0");
  });
});

describe("the callback onResponse", () => {
  it("gets each response with its headers", async () => {
    const noted: (string | null)[] = [];
    const api = new FakeApi([{ ...DOMAIN, headers: { "X-Ignored-Members": "colour" } }], {
      onResponse: ({ headers }) => noted.push(headers.get("X-Ignored-Members")),
    });
    await api.client.domains.create({ name: "example.com" });
    expect(noted).toEqual(["colour"]);
  });

  it("of one call gets the ETag, which a change sends as If-Match", async () => {
    let tag: string | null = null;
    const answer = { ...DOMAIN, headers: { ETag: '"a"' } };
    const { client, asked } = new FakeApi([answer, answer]);
    const onResponse = ({ headers }: Response) => (tag = headers.get("ETag"));
    await client.domains.get("domain_1", { onResponse });
    await client.domains.update("domain_1", { tracking: {} }, { ifMatch: tag! });
    expect(asked[1]?.headers.get("If-Match")).toBe('"a"');
  });
});
