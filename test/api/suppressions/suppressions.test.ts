// /v1/suppressions through the worker's own fetch (src/resources/suppressions, contract.md §Reasons
// and topics).
import { describe, expect, it } from "vitest";
import {
  findActiveSuppressions,
  suppressForBounce,
} from "../../../src/resources/suppressions/automatic-suppressions.ts";
import { call, type ErrorBody, type TestTeam } from "../../support/api.ts";
import {
  busyTeam,
  listAll,
  putSuppression,
  suppress,
  type TestSuppression,
  suppressionsOfTeam,
} from "../../support/suppressions.ts";

const ANN = "ann@example.org";
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const at = ({ key }: TestTeam, method: string, path: string) =>
  call(method, `/v1/suppressions${path}`, { key });
const expired = () => Date.now() - 1_000;

async function statusAt(team: TestTeam, method: string, path: string): Promise<number> {
  const response = await at(team, method, path);
  await response.arrayBuffer();
  return response.status;
}

async function add(team: TestTeam, body: unknown): Promise<TestSuppression> {
  const response = await suppress(team, body);
  expect(response.status).toBe(201);
  return response.json<TestSuppression>();
}

async function errorsOf(response: Response, status: number): Promise<Record<string, string[]>> {
  expect(response.status).toBe(status);
  const { error } = await response.json<ErrorBody>();
  expect(error.type).toBe(status === 404 ? "not_found" : "validation_error");
  return error.errors ?? {};
}

describe("adding a suppression", () => {
  it("answers the whole row, manual, for every topic and for good", async () => {
    const team = await busyTeam();
    const made = await add(team, {
      email: " Ann@Example.ORG ",
      reason: "complaint",
      expires_at: "2000-01-01T00:00:00Z",
    });
    expect(Object.keys(made)).toEqual([
      "id",
      "email",
      "topic",
      "reason",
      "origin",
      "classification",
      "smtp_code",
      "note",
      "suppressed_at",
      "expires_at",
      "created_at",
    ]);
    expect(made).toEqual({
      id: expect.stringMatching(
        /^sup_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      email: ANN,
      topic: "*",
      reason: "manual",
      origin: "manual",
      classification: null,
      smtp_code: null,
      note: null,
      suppressed_at: expect.stringMatching(TIME),
      expires_at: null,
      created_at: made.suppressed_at,
    });
    expect(await (await at(team, "GET", `/${ANN}/*`)).json()).toEqual(made);
    expect(await (await at(team, "GET", `/${ANN}`)).json()).toEqual({ data: [made] });
    expect(await (await at(team, "GET", "")).json()).toEqual({
      data: [made],
      has_more: false,
      next_cursor: null,
    });
  });

  it("stops the next send", async () => {
    const team = await busyTeam();
    await add(team, { email: ANN, topic: "News" });
    const found = await findActiveSuppressions(suppressionsOfTeam(team.id), [ANN], Date.now());
    expect(found.get(ANN)).toEqual([
      { email: ANN, topic: "news", reason: "manual", classification: null },
    ]);
  });

  it("refuses a second one of the same address and topic, however they are spelled, and takes one of another topic", async () => {
    const team = await busyTeam();
    await add(team, { email: "ann@bücher.example" });
    for (const body of [
      { email: " ANN@xn--bcher-kva.example" },
      { email: "ann@Bücher.example", topic: "*", note: "again" },
    ]) {
      expect(Object.keys(await errorsOf(await suppress(team, body), 422))).toEqual(["email"]);
    }
    await add(team, { email: "ann@bücher.example", topic: "news" });
    expect(
      await errorsOf(await suppress(team, { email: "ann@bücher.example", topic: "NEWS" }), 422),
    ).toHaveProperty("email");
    expect(await listAll(team, "")).toHaveLength(2);
  });

  it("refuses one where a bounce or a complaint is in force", async () => {
    const team = await busyTeam();
    await suppressForBounce(
      suppressionsOfTeam(team.id),
      [{ email: ANN, classification: null, smtpCode: 550, at: Date.now() }],
      Date.now(),
    );
    expect(await errorsOf(await suppress(team, { email: ANN }), 422)).toHaveProperty("email");
    await putSuppression(team, {
      email: "bob@example.org",
      reason: "complaint",
      classification: "abuse",
    });
    expect(await errorsOf(await suppress(team, { email: "bob@example.org" }), 422)).toHaveProperty(
      "email",
    );
  });

  it("starts afresh where an earlier one's time is over", async () => {
    const team = await busyTeam();
    await putSuppression(team, {
      id: "sup_old",
      email: ANN,
      classification: "InvalidRecipient",
      smtp_code: 550,
      note: "old",
      expires_at: expired(),
    });
    const made = await add(team, { email: ANN });
    expect(made).toMatchObject({
      reason: "manual",
      origin: "manual",
      classification: null,
      smtp_code: null,
      note: null,
      expires_at: null,
    });
    expect(await listAll(team, "")).toEqual([made]);
    expect(made.id).not.toBe("sup_old");
  });

  it("lets exactly one of many equal ones win", async () => {
    const team = await busyTeam();
    await putSuppression(team, { email: "bob@example.org", expires_at: expired() });
    for (const email of [ANN, "bob@example.org"]) {
      const responses = await Promise.all(
        Array.from({ length: 10 }, (_, index) => suppress(team, { email, note: `no. ${index}` })),
      );
      const winners = responses.filter(({ status }) => status === 201);
      expect(winners).toHaveLength(1);
      expect(responses.filter(({ status }) => status === 422)).toHaveLength(9);
      expect(await (await at(team, "GET", `/${email}`)).json()).toEqual({
        data: [await winners[0]?.json()],
      });
    }
  });

  it.each([
    [{}, ["email"]],
    [{ email: null }, ["email"]],
    [{ email: ["ann@example.org"] }, ["email"]],
    [{ email: "" }, ["email"]],
    [{ email: "ann" }, ["email"]],
    [{ email: "Ann <ann@example.org>" }, ["email"]],
    [{ email: "ann@localhost" }, ["email"]],
    [{ email: "ann@[192.0.2.1]" }, ["email"]],
    [{ email: "a@b.example, c@d.example" }, ["email"]],
    [{ email: "a\ud800@b.example" }, ["email"]],
    [{ email: `${"a".repeat(65)}@b.example` }, ["email"]],
    [{ email: ANN, topic: "" }, ["topic"]],
    [{ email: ANN, topic: "two words" }, ["topic"]],
    [{ email: ANN, topic: "x".repeat(65) }, ["topic"]],
    [{ email: ANN, topic: null }, ["topic"]],
    [{ email: ANN, topic: ["a"] }, ["topic"]],
    [{ email: ANN, note: 7 }, ["note"]],
    [{ email: ANN, note: "x".repeat(1_001) }, ["note"]],
    [{ email: ANN, note: "x".repeat(4_000_000) }, ["note"]],
    [{ email: ANN, note: "a\u0000b" }, ["note"]],
    [{ email: ANN, note: "\udc00" }, ["note"]],
    [{ email: "x", topic: "é", note: [] }, ["email", "topic", "note"]],
  ])("answers 422 to %j on %j and nothing else", async (body, paths) => {
    const team = await busyTeam();
    expect(Object.keys(await errorsOf(await suppress(team, body), 422))).toEqual(paths);
    expect(await listAll(team, "")).toEqual([]);
  });

  it.each([
    "",
    " spaced ",
    "a\r\n\tb\u0001\u001f\u007f\u0085",
    "\u202eעברית\u2066",
    "🙂".repeat(1_000),
    "e\u0301\ufeff\uffff",
    `'"\\;-- %s {{x}}`,
    "123",
    "null",
  ])("gives the note %j back as it was", async (note) => {
    const team = await busyTeam();
    expect((await add(team, { email: ANN, note })).note).toBe(note);
    expect(await (await at(team, "GET", `/${ANN}/*`)).json()).toMatchObject({ note });
  });
});

describe("addresses and topics in paths", () => {
  it.each([
    ["ann+news@example.org", "ann+news@example.org"],
    ["ann+news@example.org", "ann%2Bnews%40example.org"],
    ["ann@example.org", "ANN%40Example.ORG"],
    ["ann@example.org", "%20ann@example.org%20%0A"],
    ["100%25@example.org", "100%2525%40example.org"],
    ["100%@example.org", "100%25@example.org"],
    ["a%2fb@example.org", "a%252Fb@example.org"],
    ["a/b@example.org", "a%2Fb@example.org"],
    ["what?&=@example.org", "what%3F%26%3D%40example.org"],
    ["#tag!$&'*=^_`{|}~-@example.org", encodeURIComponent("#tag!$&'*=^_`{|}~-@example.org")],
    ['"john doe/x"@example.org', encodeURIComponent('"John Doe/x"@example.org')],
    ['"a@b\\"c"@example.org', encodeURIComponent('"a@b\\"c"@example.org')],
    ["ann@bücher.example", encodeURIComponent("ann@BÜCHER.example")],
    ["ann@xn--bcher-kva.example", "ann@b%C3%BCcher.example"],
    ["import@example.org", "import@example.org"],
  ])("find %j under %s", async (email, path) => {
    const team = await busyTeam();
    const made = await add(team, { email, topic: "News.a" });
    expect(await (await at(team, "GET", `/${path}`)).json()).toEqual({ data: [made] });
    for (const topic of ["news.a", "NEWS.A", "news%2Ea", "%20news.a"])
      expect(await (await at(team, "GET", `/${path}/${topic}`)).json()).toEqual(made);
    expect(await statusAt(team, "GET", `/${path}/%2A`)).toBe(404);
    expect(await statusAt(team, "DELETE", `/${path}/news.a`)).toBe(204);
    expect(await statusAt(team, "GET", `/${path}`)).toBe(404);
    await add(team, { email });
    expect(await statusAt(team, "GET", `/${path}/%2A`)).toBe(200);
    expect(await statusAt(team, "DELETE", `/${path}`)).toBe(204);
    expect(await statusAt(team, "DELETE", `/${path}`)).toBe(404);
  });

  it("are 404 where nothing by them can exist, malformed escapes included", async () => {
    const team = await busyTeam();
    await add(team, { email: ANN });
    const paths = [
      "/x",
      "/%",
      "/%zz",
      "/%E0%A4%A",
      "/ann%40example.org%",
      "/%00",
      "/%ff%fe",
      "/ann@example.org%00",
      "/*",
      "/%2A",
      "/export%20",
    ];
    for (const path of [
      ...paths,
      "/ann@example.org/none",
      "/ann@example.org/%zz",
      "/ann@example.org/",
      "/ann@example.org/*/more",
      `/${"a".repeat(5_000)}`,
    ]) {
      for (const method of ["GET", "DELETE"])
        expect([path, method, await statusAt(team, method, path)]).toEqual([path, method, 404]);
    }
    expect(await statusAt(team, "DELETE", "/export")).toBe(405);
    expect(await statusAt(team, "GET", "/import")).toBe(405);
    expect(await listAll(team, "")).toHaveLength(1);
  });

  it("answer 405 to methods that nobody serves", async () => {
    const team = await busyTeam();
    const response = await at(team, "PATCH", `/${ANN}`);
    expect(response.status).toBe(405);
    expect(response.headers.get("Allow")).toBe("GET, DELETE");
  });
});

describe("one address", () => {
  it("has all its topics shown newest first, and removed one by one or together", async () => {
    const team = await busyTeam();
    await putSuppression(team, {
      email: ANN,
      topic: "old",
      reason: "unsubscribed",
      created_at: 5,
      suppressed_at: 4,
    });
    await putSuppression(team, {
      email: ANN,
      classification: "InvalidRecipient",
      smtp_code: 550,
      created_at: 9,
      expires_at: Date.now() + 60_000,
    });
    await putSuppression(team, {
      email: ANN,
      topic: "gone",
      created_at: 10,
      expires_at: expired(),
    });
    await add(team, { email: ANN, topic: "new" });
    await add(team, { email: "ann@example.org.uk" });
    const topics = async () =>
      (await (await at(team, "GET", `/${ANN}`)).json<{ data: TestSuppression[] }>()).data.map(
        ({ topic }) => topic,
      );
    expect(await topics()).toEqual(["new", "*", "old"]);
    expect(await (await at(team, "GET", `/${ANN}/old`)).json()).toMatchObject({
      reason: "unsubscribed",
      origin: "auto",
      suppressed_at: "1970-01-01T00:00:00.004Z",
      created_at: "1970-01-01T00:00:00.005Z",
    });
    expect(await (await at(team, "GET", `/${ANN}/%2a`)).json()).toMatchObject({
      classification: "InvalidRecipient",
      smtp_code: 550,
      expires_at: expect.stringMatching(TIME),
    });
    const response = await at(team, "DELETE", `/${ANN}/*`);
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(await topics()).toEqual(["new", "old"]);
    expect(await statusAt(team, "DELETE", `/${ANN}`)).toBe(204);
    expect(await statusAt(team, "GET", `/${ANN}`)).toBe(404);
    expect((await listAll(team, "")).map(({ email }) => email)).toEqual(["ann@example.org.uk"]);
    expect(
      (await findActiveSuppressions(suppressionsOfTeam(team.id), [ANN], Date.now())).size,
    ).toBe(0);
  });

  it("is as good as absent everywhere once its time is over", async () => {
    const team = await busyTeam();
    await putSuppression(team, { email: ANN, expires_at: expired() });
    await putSuppression(team, { email: ANN, topic: "news", expires_at: expired() });
    for (const path of [`/${ANN}`, `/${ANN}/*`, `/${ANN}/news`]) {
      expect(await statusAt(team, "GET", path)).toBe(404);
      expect(await statusAt(team, "DELETE", path)).toBe(404);
    }
    expect(await listAll(team, "")).toEqual([]);
    expect(await listAll(team, "topic=news&reason=permanent_bounce&email_contains=ann")).toEqual(
      [],
    );
    await add(team, { email: ANN });
  });

  it("is removed by exactly one of many deletions, and can be suppressed again", async () => {
    const team = await busyTeam();
    const first = await add(team, { email: ANN });
    const statuses = await Promise.all(
      Array.from({ length: 5 }, () => statusAt(team, "DELETE", `/${ANN}`)),
    );
    expect(statuses.toSorted((left, right) => left - right)).toEqual([204, 404, 404, 404, 404]);
    expect((await add(team, { email: ANN })).id).not.toBe(first.id);
  });

  it("is 404 to another team, and stays as it is", async () => {
    const [owner, other] = [await busyTeam(), await busyTeam()];
    const made = await add(owner, { email: ANN });
    for (const path of [`/${ANN}`, `/${ANN}/*`]) {
      for (const method of ["GET", "DELETE"]) await errorsOf(await at(other, method, path), 404);
    }
    expect(await listAll(other, "")).toEqual([]);
    await add(other, { email: ANN, note: "theirs" });
    expect(await listAll(owner, "")).toEqual([made]);
  });
});
