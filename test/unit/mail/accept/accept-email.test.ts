// Tests how one send is accepted, from its bytes to the ledger: what is answered and stored, what
// is kept to repeat the answer, and in which order the checks decide.
import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import {
  acceptedId,
  insertDomain,
  makeSender,
  problemsOf,
  RATE_HEADERS,
  send,
  textOf,
} from "./sender-fixture.ts";

const RATE_LIMITED = { refusal: { code: "rate_limited" }, headers: RATE_HEADERS };

/** Content that does not fit into the ledger's row. */
const LARGE = { text: "é".repeat(60_000) };

describe("an accepted send", () => {
  it("answers 202 with its id and the time of acceptance", async () => {
    const sender = await makeSender();
    const now = Date.now();
    const result = await sender.send({}, { now });
    expect(result).toEqual({
      kind: "reply",
      status: 202,
      body: expect.any(String) as string,
      headers: RATE_HEADERS,
    });
    expect(JSON.parse(textOf(result))).toEqual({
      id: expect.stringMatching(
        /^email_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ) as string,
      created_at: new Date(now).toISOString(),
    });
  });

  it("under the idempotency key of another team is accepted as a new send", async () => {
    const [one, other] = [await makeSender(), await makeSender()];
    expect(acceptedId(await one.send({}, { key: "k" }))).not.toBe(
      acceptedId(await other.send({}, { key: "k" })),
    );
  });
});

describe("a refused send", () => {
  it.each([
    ["an empty body", "", "is not valid JSON"],
    ["half an object", '{"from":', "is not valid JSON"],
    ["bytes that are not UTF-8", Buffer.from('{"\xff":1}', "latin1"), "is not valid UTF-8"],
    ["100,000 levels", `{"a":${"[".repeat(100_000)}`, "is nested deeper than 64 levels"],
    ["an array", "[{}]", "must be a JSON object"],
    ["a string", '"x"', "must be a JSON object"],
    ["null", "null", "must be a JSON object"],
    ["a number beyond a double", "1e400", "must be a JSON object"],
  ])("answers %s with 400 and an error of the body", async (_, body, problem) => {
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

  it("is not caused by hostile members that no rule names, nor by lone surrogates", async () => {
    const sender = await makeSender();
    const body = JSON.stringify(sender.body({ n: 1 })).replace(
      '"n":1',
      String.raw`"__proto__":{"to":[]},"constructor":1e400,"to":[],"to":["ann@example.org"],"x":"\ud800"`,
    );
    const surrogates = String.raw`{"from":"\udc00 <a@${sender.domain.name}>","to":["ann@example.org"],"subject":"\ud800","html":"\ud83d"}`;
    expect(acceptedId(await send(sender, surrogates))).toMatch(/^email_/);
    expect(acceptedId(await send(sender, body))).toMatch(/^email_/);
  });

  it("is the result if the from domain is not verified for the team", async () => {
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
      const result = await sender.send({ from: `a@${name}` });
      expect(result).toMatchObject({ kind: "reply", status: 422 });
      const problem = `must be on a verified domain of the team: ${name} ${reason}`;
      expect(problemsOf(result)).toEqual({ from: [problem] });
    }
  });

  it("is the result if the key may not use the from domain", async () => {
    const sender = await makeSender();
    const answerTo = (...allowedDomains: string[]) => sender.send({}, { allowedDomains });
    expect(await answerTo("other.example")).toMatchObject({ kind: "reply", status: 422 });
    const own = sender.domain.name.toUpperCase();
    expect(await answerTo("other.example", own)).toMatchObject({ status: 202 });
  });

  it("has an error about the sender's domain only if everything else is valid", async () => {
    const sender = await makeSender();
    const result = await sender.send({ from: "a@elsewhere.example", subject: "" });
    expect(problemsOf(result)).toEqual({ subject: ["must not be empty"] });
  });
});

describe("the order of the checks", () => {
  it("puts the request rate before validation errors", async () => {
    const sender = await makeSender({ limits: { requestsPerSecond: 1 } });
    const now = Date.now();
    for (let sent = 0; sent < 2; sent += 1)
      expect(await send(sender, "nonsense", { now })).toMatchObject({ status: 400 });
    const refused = { kind: "thrown", ...RATE_LIMITED };
    expect(await send(sender, "nonsense", { now, key: "k" })).toEqual(refused);
    expect(await sender.send(LARGE, { now })).toMatchObject(RATE_LIMITED);
    expect(await sender.send({}, { now: now + 3_000, key: "k" })).toMatchObject({ status: 202 });
  });

  it("puts a replay before a validation that would fail now", async () => {
    const sender = await makeSender();
    const body = sender.body({ ip_pool: "receipts" });
    const first = await send(sender, body, { key: "k" });
    expect(await send(sender, body, { key: "k", team: { ipPools: [] } })).toMatchObject({
      status: 202,
      body: textOf(first),
    });
    expect(await send(sender, body, { team: { ipPools: [] } })).toMatchObject({ status: 422 });
  });

  it("puts an idempotency mismatch before validation", async () => {
    const sender = await makeSender();
    await sender.send({}, { key: "k" });
    expect(await send(sender, "nonsense", { key: "k" })).toMatchObject({
      refusal: { code: "idempotency_mismatch" },
    });
  });

  it("puts validation before the quota, and keeps no quota refusal for replays", async () => {
    const sender = await makeSender({ limits: { daily: 1 } });
    const two = sender.body({ to: ["ann@example.org", "bob@example.org"] });
    expect(await send(sender, { ...two, subject: "" })).toMatchObject({ status: 422 });
    expect(await send(sender, two, { key: "k" })).toMatchObject({
      kind: "thrown",
      refusal: { code: "quota_exceeded", quota: { scope: "daily", limit: 1 } },
      headers: RATE_HEADERS,
    });
    const raised = { limits: { daily: 2 } };
    expect(await send(sender, two, { key: "k", team: raised })).toMatchObject({ status: 202 });
  });
});
