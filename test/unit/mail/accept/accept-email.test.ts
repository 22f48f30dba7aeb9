// Tests how one send is accepted, from its bytes to the ledger: what is answered and stored, what
// is kept to repeat the answer, and in which order the checks decide.
import { describe, expect, it } from "vitest";
import { acceptedId, usageOf, insertDomain, makeSender, send } from "./sender-fixture.ts";

const RATE_HEADERS = {
  "RateLimit-Limit": expect.stringMatching(/^\d+$/) as string,
  "RateLimit-Remaining": expect.stringMatching(/^\d+$/) as string,
  "RateLimit-Reset": expect.stringMatching(/^\d+$/) as string,
};

/** Content that does not fit into the ledger's row. */
const LARGE = { text: "é".repeat(60_000) };

describe("an accepted send", () => {
  it("answers 202 with its id and the time of acceptance", async () => {
    const sender = await makeSender();
    const now = Date.now();
    const result = await send(sender, sender.body(), { now });
    expect(result).toEqual({
      kind: "reply",
      status: 202,
      body: expect.any(String) as string,
      headers: RATE_HEADERS,
    });
    expect(JSON.parse((result as { body: string }).body)).toEqual({
      id: expect.stringMatching(
        /^email_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ) as string,
      created_at: new Date(now).toISOString(),
    });
  });

  it("is accepted once, and replayed under its key with the same bytes", async () => {
    const sender = await makeSender();
    const first = await send(sender, sender.body(), { key: "k" });
    const second = await send(sender, sender.body(), { key: "k", now: Date.now() + 5_000 });
    expect(await usageOf(sender)).toEqual({ messages: 1, jobs: 1, dailyUsed: 1 });
    expect(first.headers["Idempotent-Replayed"]).toBeUndefined();
    expect(second).toEqual({
      ...first,
      headers: { ...RATE_HEADERS, "Idempotent-Replayed": "true" },
    });
    expect(await send(sender, sender.body({ subject: "Other" }), { key: "k" })).toMatchObject({
      kind: "thrown",
      refusal: { code: "idempotency_mismatch" },
      headers: RATE_HEADERS,
    });
    expect(acceptedId(await send(sender, sender.body(), { key: "other" }))).not.toBe(
      acceptedId(first),
    );
  });

  it("is one message with a job for each distinct recipient", async () => {
    const sender = await makeSender();
    await send(
      sender,
      sender.body({
        to: ["a@example.org", "A@example.org"],
        cc: ["b@localhost"],
        bcc: ["c@example.org"],
      }),
    );
    expect(await usageOf(sender)).toEqual({ messages: 1, jobs: 2, dailyUsed: 2 });
  });

  it("under the idempotency key of another team is accepted as a new send", async () => {
    const [one, other] = [await makeSender(), await makeSender()];
    expect(acceptedId(await send(one, one.body(), { key: "k" }))).not.toBe(
      acceptedId(await send(other, other.body(), { key: "k" })),
    );
  });
});

describe("a refused send", () => {
  it.each([
    ["an empty body", "", "is not valid JSON"],
    ["half an object", '{"from":', "is not valid JSON"],
    [
      "bytes that are not UTF-8",
      new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      "is not valid UTF-8",
    ],
    ["100,000 levels", `{"a":${"[".repeat(100_000)}`, "is nested deeper than 64 levels"],
    ["an array", "[{}]", "must be a JSON object"],
    ["a string", '"x"', "must be a JSON object"],
    ["null", "null", "must be a JSON object"],
    ["a number beyond a double", "1e400", "must be a JSON object"],
  ])("answers %s with 400 on body", async (_, body, problem) => {
    const sender = await makeSender();
    expect(await send(sender, body)).toEqual({
      kind: "reply",
      status: 400,
      body:
        `{"error":{"type":"validation_error","message":"The request is not valid: body ` +
        `${problem}","errors":{"body":["${problem}"]}}}`,
      headers: RATE_HEADERS,
    });
  });

  it("is not caused by hostile members that no rule names", async () => {
    const sender = await makeSender();
    const body = JSON.stringify(sender.body({ n: 1 })).replace(
      '"n":1',
      String.raw`"__proto__":{"to":[]},"constructor":1e400,"to":[],"to":["ann@example.org"],"x":"\ud800"`,
    );
    expect(acceptedId(await send(sender, body))).toMatch(/^email_/);
  });

  it("is not caused by lone surrogates", async () => {
    const sender = await makeSender();
    expect(
      acceptedId(
        await send(
          sender,
          String.raw`{"from":"\udc00 <shop@${sender.domain.name}>","to":["ann@example.org"],"subject":"\ud800","html":"\ud83d"}`,
        ),
      ),
    ).toMatch(/^email_/);
  });

  it("is the answer to a from domain that is not verified for the team", async () => {
    const sender = await makeSender();
    const pending = {
      id: `domain_${crypto.randomUUID()}`,
      name: `pending-${crypto.randomUUID()}.example.com`,
    };
    await insertDomain(sender.team.id, pending, "pending");
    const unverified =
      "is added, but not verified yet. Publish its DNS records, then POST /v1/domains/{id}/verify";
    for (const [name, reason] of [
      [pending.name, unverified],
      [(await makeSender()).domain.name, "is not one"],
      [`sub.${sender.domain.name}`, "is not one"],
    ] as const) {
      const result = await send(sender, sender.body({ from: `a@${name}` }));
      expect(result).toMatchObject({ kind: "reply", status: 422 });
      expect(JSON.parse((result as { body: string }).body)).toMatchObject({
        error: {
          errors: { from: [`must be on a verified domain of the team: ${name} ${reason}`] },
        },
      });
    }
  });

  it("is the answer to a from domain that the key may not use", async () => {
    const sender = await makeSender();
    expect(await send(sender, sender.body(), { allowedDomains: ["other.example"] })).toMatchObject({
      kind: "reply",
      status: 422,
    });
    expect(
      await send(sender, sender.body(), {
        allowedDomains: ["other.example", sender.domain.name.toUpperCase()],
      }),
    ).toMatchObject({
      status: 202,
    });
  });

  it("has no error about the sender's domain unless everything else is valid", async () => {
    const sender = await makeSender();
    const result = await send(sender, sender.body({ from: "a@elsewhere.example", subject: "" }));
    expect(JSON.parse((result as { body: string }).body)).toMatchObject({
      error: { errors: { subject: ["must not be empty"] } },
    });
  });

  it("debits no quota and stores nothing", async () => {
    const sender = await makeSender();
    for (const body of [
      "nonsense",
      sender.body({ to: ["x"] }),
      sender.body({ ...LARGE, subject: "" }),
      sender.body({ from: "a@elsewhere.example" }),
    ]) {
      expect(await send(sender, body, { key: crypto.randomUUID() })).toMatchObject({
        kind: "reply",
      });
    }
    expect(await usageOf(sender)).toEqual({ messages: 0, jobs: 0, dailyUsed: 0 });
  });
});

describe("the order of the checks", () => {
  it("puts the request rate before validation errors", async () => {
    const base = await makeSender();
    const sender = await makeSender({ limits: { ...base.team.limits, requestsPerSecond: 1 } });
    const now = Date.now();
    for (let sent = 0; sent < 2; sent += 1)
      expect(await send(sender, "nonsense", { now })).toMatchObject({ status: 400 });
    expect(await send(sender, "nonsense", { now, key: "k" })).toEqual({
      kind: "thrown",
      refusal: { code: "rate_limited" },
      headers: RATE_HEADERS,
    });
    expect(await send(sender, sender.body(LARGE), { now })).toMatchObject({
      refusal: { code: "rate_limited" },
      headers: RATE_HEADERS,
    });
    expect(await send(sender, sender.body(), { now: now + 3_000, key: "k" })).toMatchObject({
      status: 202,
    });
  });

  it("puts a replay before a validation that would fail now", async () => {
    const sender = await makeSender();
    const body = sender.body({ ip_pool: "receipts" });
    const first = await send(sender, body, { key: "k" });
    expect(await send(sender, body, { key: "k", team: { ipPools: [] } })).toMatchObject({
      status: 202,
      body: (first as { body: string }).body,
    });
    expect(await send(sender, body, { team: { ipPools: [] } })).toMatchObject({ status: 422 });
  });

  it("puts a mismatch before validation", async () => {
    const sender = await makeSender();
    await send(sender, sender.body(), { key: "k" });
    expect(await send(sender, "nonsense", { key: "k" })).toMatchObject({
      refusal: { code: "idempotency_mismatch" },
    });
  });

  it("puts validation before the quota, and keeps no quota refusal for replays", async () => {
    const base = await makeSender();
    const sender = await makeSender({ limits: { ...base.team.limits, daily: 1 } });
    const two = sender.body({ to: ["ann@example.org", "bob@example.org"] });
    expect(await send(sender, { ...two, subject: "" })).toMatchObject({ status: 422 });
    expect(await send(sender, two, { key: "k" })).toMatchObject({
      kind: "thrown",
      refusal: { code: "quota_exceeded", quota: { scope: "daily", limit: 1 } },
      headers: RATE_HEADERS,
    });
    expect(await send(sender, two, { key: "k", team: { limits: base.team.limits } })).toMatchObject(
      { status: 202 },
    );
  });
});
