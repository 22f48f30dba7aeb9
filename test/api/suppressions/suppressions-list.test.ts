// Tests the list of suppressions, its filters and its pages, through the worker's fetch handler
// (contract.md §Suppressions, contract.md §Lists).
import { describe, expect, it } from "vitest";
import { bindings, busyTeam, everyPage, fieldsOf, ok, type Page } from "../../support/api.ts";
import { listAll, putSuppression, type TestSuppression } from "../../support/suppressions.ts";
import { add, at, expired, statusAt } from "./suppression-calls.ts";
import { ofEachTest } from "../../support/before-tests.ts";

const team = ofEachTest(busyTeam);

describe("an address with an unescaped plus sign", () => {
  it("is found by every query and path, unless it is in quotes", async () => {
    await add(team, { email: "+ann+news@example.org" });
    for (const [query, count] of [
      ["email_contains=ann+news", 1],
      ["email_contains=+ann%2Bnews@example.org", 1],
      ['email_contains="+ann+news', 0],
      ["sort=email&email_from=+ann+news@example.org", 1],
      ["sort=email&email_from=ann+news@example.org", 0],
    ] as const)
      expect([query, (await listAll(team, query)).length]).toEqual([query, count]);
    expect(await statusAt(team, "GET", "/+ann+news@example.org")).toBe(200);
    const found = await ok<{ address: string }>(team.get("/v1/recipients/+ann+news@example.org"));
    expect(found.address).toBe("+ann+news@example.org");
  });
});

describe("listing", () => {
  it("applies each filter, alone and together, as if it read all rows", async () => {
    const emails =
      "ann@example.org a_b@example.org a%b@example.org axb@example.org ann@other.test".split(" ");
    let moment = 0;
    for (const email of emails) {
      for (const topic of ["*", "news", "alerts"]) {
        moment += 1;
        const reason =
          ["permanent_bounce", "complaint", "unsubscribed", "manual"][moment % 4] ?? "";
        const expiresAt = moment % 5 === 0 ? expired() : null;
        await putSuppression(team, {
          email,
          topic,
          reason,
          origin: moment % 3 === 0 ? "manual" : "auto",
          created_at: moment,
          expires_at: expiresAt,
        });
      }
    }
    const all = await listAll(team, "limit=100");
    expect(all).toHaveLength(12);
    const queries = [
      "",
      ..."ANN @EXAMPLE _ % a_b a%b zzz".split(" "),
      "\u0000",
      "x".repeat(3_000),
      "'",
      ".org",
    ].flatMap((contains) => ["", "*", "News", "none", "n%"].map((topic) => ({ contains, topic })));
    const kinds = [
      ["", ""],
      ["complaint", ""],
      ["", "manual"],
      ["unsubscribed", "auto"],
    ];
    for (const [index, { contains, topic }] of queries.entries()) {
      const [reason = "", origin = ""] = kinds[index % kinds.length] ?? [];
      const expected = all.filter(
        (row) =>
          row.email.includes(contains.toLowerCase()) &&
          (topic === "" || row.topic === topic.toLowerCase()) &&
          (reason === "" || row.reason === reason) &&
          (origin === "" || row.origin === origin),
      );
      const given = Object.entries({
        email_contains: contains,
        topic,
        reason,
        origin,
        limit: "5",
      }).filter(([, value]) => value !== "");
      const query = new URLSearchParams(given).toString();
      expect([query, await listAll(team, query)]).toEqual([query, expected]);
    }
  });

  it("pages from the newest to the oldest without gaps or repeats, though rows come, go and expire meanwhile", async () => {
    for (let index = 0; index < 25; index += 1) {
      await putSuppression(team, {
        id: `sup_${100 + index}`,
        email: `user${index}@example.org`,
        created_at: 1_000 + Math.floor(index / 10),
      });
    }
    const seen: string[] = [];
    await everyPage<TestSuppression>("/v1/suppressions?limit=4", team.key, async ({ data }) => {
      expect(data.length).toBeLessThanOrEqual(4);
      seen.push(...data.map(({ email }) => email));
      if (seen.length === 8) {
        await add(team, { email: "late@example.org" });
        expect(await statusAt(team, "DELETE", `/${seen.at(-1)}`)).toBe(204);
        await bindings.SHARD_0.prepare(
          "UPDATE suppressions SET expires_at = 1 WHERE team_id = ? AND email = " +
            "'user3@example.org'",
        )
          .bind(team.id)
          .run();
      }
    });
    expect(seen).toEqual(
      Array.from({ length: 25 }, (_, index) => `user${24 - index}@example.org`).filter(
        (email) => email !== "user3@example.org",
      ),
    );
  });

  it("sorts by time and by address, and each order accepts only its own cursors", async () => {
    const rows: [string, string, number][] = [
      ["cleo@example.org", "*", 1],
      ["ann@example.org", "news", 2],
      ["ann@example.org", "*", 3],
      ["\u00fcmit@example.org", "*", 3],
      ["bob@example.org", "*", 4],
    ];
    for (const [email, topic, moment] of rows)
      await putSuppression(team, { id: `sup_${moment}${email}`, email, topic, created_at: moment });
    await putSuppression(team, { email: "aa@example.org", expires_at: expired() });
    const names = async (query: string) =>
      (await listAll(team, `${query}&limit=2`)).map(({ email, topic }) => email[0] + topic);
    const newest = await names("");
    expect(newest).toEqual(["b*", "\u00fc*", "a*", "anews", "c*"]);
    expect(await names("sort=newest")).toEqual(newest);
    expect(await names("sort=oldest")).toEqual(newest.toReversed());
    expect(await names("sort=email")).toEqual(["a*", "anews", "b*", "c*", "\u00fc*"]);
    expect(await names("sort=email&email_from=%20BOB")).toEqual(["b*", "c*", "\u00fc*"]);
    expect(await names("sort=email&email_from=d&topic=*")).toEqual(["\u00fc*"]);
    const page: Page<TestSuppression> = await ok(at(team, "GET", "?limit=2&sort=oldest"));
    for (const query of ["", "&sort=newest", "&sort=email"]) {
      const other = await at(team, "GET", `?limit=2&after=${page.next_cursor}${query}`);
      expect(await fieldsOf(other)).toEqual(["after"]);
    }
  });

  it("counts the rows that its filters match, without expired rows and rows of other teams", async () => {
    await putSuppression(await busyTeam(), { email: "ann@example.org" });
    for (const reason of ["complaint", "manual", "permanent_bounce"])
      await putSuppression(team, { email: `${reason}@example.org`, reason });
    await putSuppression(team, { email: "old@example.org", expires_at: expired() });
    const count = async (query: string) => (await at(team, "GET", `/count${query}`)).json();
    expect(await count("")).toEqual({ total: 3, has_more: false });
    expect(await count("?reason=manual&topic=*")).toEqual({ total: 1, has_more: false });
    expect(await count("?email_contains=old")).toEqual({ total: 0, has_more: false });
    expect(await fieldsOf(at(team, "GET", "/count?reason=x"))).toEqual(["reason"]);
  });

  it("has a next cursor only if more rows follow", async () => {
    for (let index = 0; index < 4; index += 1)
      await putSuppression(team, { email: `user${index}@example.org`, created_at: index });
    const expected = { has_more: false, next_cursor: null };
    expect(await ok(at(team, "GET", "?limit=4"))).toMatchObject(expected);
    const page: Page<TestSuppression> = await ok(at(team, "GET", "?limit=3"));
    expect(page).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
    const rows = ["user3@example.org", "user2@example.org", "user1@example.org"];
    expect(page.data.map(({ email }) => email)).toEqual(rows);
  });

  it("answers 422 to values that its parameters do not have", async () => {
    for (const [query, path] of [
      ["reason=bounce", "reason"],
      ["reason=MANUAL", "reason"],
      ["reason=", "reason"],
      ["origin=robot", "origin"],
      ["origin=", "origin"],
      ["topic=a&topic=b", "topic"],
      ["email_contains=a&email_contains=b", "email_contains"],
      ["sort=topic", "sort"],
      ["email_from=a", "email_from"],
      ["sort=newest&email_from=a", "email_from"],
      ["limit=0", "limit"],
      ["after=zzz", "after"],
    ] as const)
      expect([query, await fieldsOf(at(team, "GET", `?${query}`))]).toEqual([query, [path]]);
  });
});
