// Tests the suppressions of one address through the worker's fetch handler: reading and removing
// them (src/resources/suppressions, contract.md §Reasons and topics).
import { busyTeam, ok } from "../../support/api.ts";
import { describe, expect, it } from "vitest";
import { findActiveSuppressions } from "../../../src/resources/suppressions/automatic-suppressions.ts";
import {
  listAll,
  putSuppression,
  type TestSuppression,
  suppressionsOfTeam,
} from "../../support/suppressions.ts";
import { ANN, TIME, at, expired, statusAt, add } from "./suppression-calls.ts";
import { ofEachTest } from "../../support/before-tests.ts";

const team = ofEachTest(busyTeam);

describe("addresses and topics in paths", () => {
  it("are percent-decoded, and match in upper and lower case and with white space around them", async () => {
    for (const [email, path] of [
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
    ] as const) {
      const made = await add(team, { email, topic: "News.a" });
      expect(await ok(at(team, "GET", `/${path}`))).toEqual({ data: [made] });
      for (const topic of ["news.a", "NEWS.A", "news%2Ea", "%20news.a"])
        expect(await ok(at(team, "GET", `/${path}/${topic}`))).toEqual(made);
      expect(await statusAt(team, "GET", `/${path}/%2A`)).toBe(404);
      expect(await statusAt(team, "DELETE", `/${path}/news.a`)).toBe(204);
      expect(await statusAt(team, "GET", `/${path}`)).toBe(404);
    }
  });

  it("lead to a suppression of every topic, which a deletion without a topic removes", async () => {
    await add(team, { email: ANN });
    expect(await statusAt(team, "GET", `/${ANN}/%2A`)).toBe(200);
    expect(await statusAt(team, "DELETE", `/${ANN}`)).toBe(204);
    expect(await statusAt(team, "DELETE", `/${ANN}`)).toBe(404);
  });

  it("get 404 if no suppression can have them, also with malformed escapes", async () => {
    await add(team, { email: ANN });
    const paths = (
      "/x /% /%zz /%E0%A4%A /ann%40example.org% /%00 /%ff%fe /ann@example.org%00 /* " +
      "/%2A /export%20"
    ).split(" ");
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
});

describe("one address", () => {
  it("has a suppression that only its own team finds by id, while it is in force", async () => {
    const other = await busyTeam();
    const made = await add(team, { email: ANN, topic: "news" });
    await add(team, { email: ANN });
    expect(await ok(at(team, "GET", `/${made.id}`))).toEqual({ data: [made] });
    expect(await statusAt(other, "GET", `/${made.id}`)).toBe(404);
    await putSuppression(team, { id: "sup_1", email: "b@example.org", expires_at: expired() });
    expect(await statusAt(team, "GET", "/sup_1")).toBe(404);
  });

  it("has all its topics shown newest first, and removed one by one or together", async () => {
    const old = {
      email: ANN,
      topic: "old",
      reason: "unsubscribed",
      created_at: 5,
      suppressed_at: 4,
    };
    await putSuppression(team, old);
    await putSuppression(team, {
      email: ANN,
      classification: "InvalidRecipient",
      smtp_code: 550,
      created_at: 9,
      expires_at: Date.now() + 60_000,
    });
    const row = { email: ANN, topic: "gone", created_at: 10, expires_at: expired() };
    await putSuppression(team, row);
    await add(team, { email: ANN, topic: "new" });
    await add(team, { email: "ann@example.org.uk" });
    const topics = async () =>
      (await ok<{ data: TestSuppression[] }>(at(team, "GET", `/${ANN}`))).data.map(
        ({ topic }) => topic,
      );
    expect(await topics()).toEqual(["new", "*", "old"]);
    expect(await ok(at(team, "GET", `/${ANN}/old`))).toMatchObject({
      reason: "unsubscribed",
      origin: "auto",
      suppressed_at: "1970-01-01T00:00:00.004Z",
      created_at: "1970-01-01T00:00:00.005Z",
    });
    expect(await ok(at(team, "GET", `/${ANN}/%2a`))).toMatchObject({
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

  it("is absent everywhere once it has expired", async () => {
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
});
