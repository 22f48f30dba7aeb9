// Tests POST /v1/suppressions through the worker's fetch handler (src/resources/suppressions,
// contract.md §Reasons and topics).
import { busyTeam, errorsOf, fieldsOf, ok } from "../../support/api.ts";
import { describe, expect, it } from "vitest";
import { suppressForBounce } from "../../../src/resources/suppressions/automatic-suppressions.ts";
import {
  listAll,
  putSuppression,
  suppress,
  suppressionsOfTeam,
} from "../../support/suppressions.ts";
import { ANN, TIME, at, expired, add } from "./suppression-calls.ts";
import { ofEachTest } from "../../support/before-tests.ts";

const team = ofEachTest(busyTeam);

describe("adding a suppression", () => {
  it("answers the whole row: a manual suppression of every topic, without an end", async () => {
    const wish = {
      email: " Ann@Example.ORG ",
      reason: "complaint",
      expires_at: "2000-01-01T00:00:00Z",
    };
    const made = await add(team, wish);
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
      explanation: expect.objectContaining({
        summary: `${ANN} is suppressed: your team added the address to its suppression list.`,
        evidence: null,
      }),
    });
    expect(await ok(at(team, "GET", `/${ANN}/*`))).toEqual(made);
    expect(await ok(at(team, "GET", `/${ANN}`))).toEqual({ data: [made] });
    const expected = { data: [made], has_more: false, next_cursor: null };
    expect(await ok(at(team, "GET", ""))).toEqual(expected);
  });

  it("refuses a second suppression of the same address and topic, however they are spelled, but takes one of another topic", async () => {
    await add(team, { email: "ann@bücher.example" });
    for (const body of [
      { email: " ANN@xn--bcher-kva.example" },
      { email: "ann@Bücher.example", topic: "*", note: "again" },
    ]) {
      expect(await fieldsOf(suppress(team, body))).toEqual(["email"]);
    }
    await add(team, { email: "ann@bücher.example", topic: "news" });
    expect(
      await errorsOf(suppress(team, { email: "ann@bücher.example", topic: "NEWS" })),
    ).toHaveProperty("email");
    expect(await listAll(team, "")).toHaveLength(2);
  });

  it("refuses an address with a bounce or a complaint in force", async () => {
    await suppressForBounce(
      suppressionsOfTeam(team.id),
      [{ email: ANN, classification: null, smtpCode: 550, at: Date.now() }],
      Date.now(),
    );
    expect(await errorsOf(suppress(team, { email: ANN }))).toHaveProperty("email");
    const row = { email: "bob@example.org", reason: "complaint", classification: "abuse" };
    await putSuppression(team, row);
    expect(await errorsOf(suppress(team, { email: "bob@example.org" }))).toHaveProperty("email");
  });

  it("makes a new suppression if the earlier one has expired", async () => {
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

  it("lets exactly one of many equal requests win", async () => {
    await putSuppression(team, { email: "bob@example.org", expires_at: expired() });
    for (const email of [ANN, "bob@example.org"]) {
      const responses = await Promise.all(
        Array.from({ length: 10 }, (_, index) => suppress(team, { email, note: `no. ${index}` })),
      );
      const winners = responses.filter(({ status }) => status === 201);
      expect(winners).toHaveLength(1);
      expect(responses.filter(({ status }) => status === 422)).toHaveLength(9);
      expect(await ok(at(team, "GET", `/${email}`))).toEqual({ data: [await winners[0]?.json()] });
    }
  });

  it("keeps a note as it is", async () => {
    const note = ` a\r\n\tb\u0001\u007f\u0085 \u202eעברית\u2066 e\u0301\ufeff\uffff 🙂 '"\\;-- %s {{x}} `;
    expect(await add(team, { email: ANN, note })).toMatchObject({ note });
    expect(await ok(at(team, "GET", `/${ANN}/*`))).toMatchObject({ note });
  });

  it("answers 422 with exactly the fields at fault", async () => {
    // test/unit/resources/suppressions/normalise.test.ts has all refused addresses and topics.
    for (const [body, paths] of [
      [{}, ["email"]],
      [{ email: null }, ["email"]],
      [{ email: ["ann@example.org"] }, ["email"]],
      [{ email: "Ann <ann@example.org>" }, ["email"]],
      [{ email: ANN, topic: "two words" }, ["topic"]],
      [{ email: ANN, topic: ["a"] }, ["topic"]],
      [{ email: ANN, note: 7 }, ["note"]],
      [{ email: ANN, note: "x".repeat(1_001) }, ["note"]],
      [{ email: ANN, note: "x".repeat(4_000_000) }, ["note"]],
      [{ email: ANN, note: "a\u0000b" }, ["note"]],
      [{ email: ANN, note: "\udc00" }, ["note"]],
      [{ email: "x", topic: "é", note: [] }, ["email", "topic", "note"]],
    ])
      expect([body, await fieldsOf(suppress(team, body))]).toEqual([body, paths]);
    expect(await listAll(team, "")).toEqual([]);
  });
});
