// Tests that suppressions stop sends and that bounces add suppressions (contract.md §Reasons and
// topics), with a real database.
import { describe, expect, it } from "vitest";
import type { SuppressionReason } from "../../../../src/rpc/recipient-states.ts";
import type { Scope } from "../../../../src/db/client.ts";
import { BOUNCE_SUPPRESSION_MS, DAY_MS } from "../../../../src/limits.ts";
import {
  type ActiveSuppression,
  findActiveSuppressions,
  suppressForBounce,
  findSuppressing,
} from "../../../../src/resources/suppressions/automatic-suppressions.ts";
import { removeExpiredSuppressions } from "../../../../src/resources/suppressions/store.ts";
import { putSuppression, suppressionsOfTeam } from "../../../support/suppressions.ts";

const NOW = 1_760_000_000_000;
const ANN = "ann@example.org";

type Row = Record<"id" | "email" | "topic" | "reason" | "origin", string> &
  Record<"suppressed_at" | "created_at", number> &
  Record<"smtp_code" | "expires_at", number | null> &
  Record<"classification" | "note", string | null>;

const newTeam = (): Scope => suppressionsOfTeam(`team_${crypto.randomUUID()}`);

async function put(scope: Scope, given: Partial<Row>): Promise<Row> {
  const manual = { reason: "manual", origin: "manual", classification: null } as const;
  const rest = { smtp_code: null, note: null, expires_at: null };
  const times = { suppressed_at: NOW - DAY_MS, created_at: NOW - DAY_MS };
  const id = `sup_${crypto.randomUUID()}`;
  const row: Row = { id, email: ANN, topic: "*", ...manual, ...rest, ...times, ...given };
  await putSuppression({ id: scope.teamId }, row);
  return row;
}

async function rowsOf(scope: Scope): Promise<Row[]> {
  const columns =
    "id, email, topic, reason, origin, classification, smtp_code, note, suppressed_at, " +
    "expires_at, created_at";
  const sql = `SELECT ${columns} FROM suppressions WHERE team_id = ? ORDER BY email, topic`;
  return (await scope.db.prepare(sql).bind(scope.teamId).all<Row>()).results;
}

const bounced = (email: string, at = NOW) => {
  return { email, classification: "InvalidRecipient", smtpCode: 550, at };
};

const foundIn = async (scope: Scope, addresses: readonly string[]) => [
  ...(await findActiveSuppressions(scope, addresses, NOW)).keys(),
];

describe("the look-up of suppressions", () => {
  it("finds exactly the team's rows in force of the given addresses, by lower-case address", async () => {
    const [scope, other] = [newTeam(), newTeam()];
    const odd = `"');--\\\u2028😀"@example.org`;
    await put(scope, { reason: "complaint", classification: "abuse" });
    await put(scope, { topic: "news", reason: "unsubscribed" });
    await put(scope, { email: "bob@example.org", expires_at: NOW + 1 });
    await put(scope, { email: "old@example.org", expires_at: NOW });
    await put(scope, { email: "eve@example.org" });
    await put(scope, { email: odd });
    await put(other, { email: "foreign@example.org" });
    const names = "bob@example.org old@example.org foreign@example.org %@example.org".split(" ");
    const found = await findActiveSuppressions(scope, [" Ann@Example.ORG", odd, ...names], NOW);
    expect([...found.keys()].toSorted()).toEqual([odd, ANN, "bob@example.org"]);
    expect(found.get(ANN)?.sort((left, right) => left.topic.localeCompare(right.topic))).toEqual([
      { email: ANN, topic: "*", reason: "complaint", classification: "abuse" },
      { email: ANN, topic: "news", reason: "unsubscribed", classification: null },
    ]);
  });

  it("accepts more addresses than a statement's parameters, in one indexed read", async () => {
    const scope = newTeam();
    await put(scope, { email: "user777@example.org" });
    const many = Array.from({ length: 1_000 }, (_, index) => `user${index}@example.org`);
    expect(await foundIn(scope, many)).toEqual(["user777@example.org"]);
    expect(await findActiveSuppressions(scope, [], NOW)).toEqual(new Map());
  });
});

describe("a send", () => {
  const row = (reason: SuppressionReason, topic = "*"): ActiveSuppression => {
    return { email: ANN, topic, reason, classification: null };
  };

  const [news, bounce] = [row("unsubscribed", "news"), row("permanent_bounce")];
  const manual = row("manual");

  it.each<[string, ActiveSuppression[], string | null, ActiveSuppression | undefined]>([
    ["is not stopped without suppressions", [], "news", undefined],
    ["with a topic is stopped by `*`", [manual], "news", manual],
    ["without a topic is stopped by `*`", [bounce], null, bounce],
    ["is stopped by its own topic", [news], "news", news],
    ["is stopped by its own topic in any case", [news], "News", news],
    ["is not stopped by another topic", [news], "alerts", undefined],
    ["without a topic is not stopped by topics", [news, row("manual", "alerts")], null, undefined],
    ["is stopped by a complaint first", [news, row("complaint")], "news", row("complaint")],
    ["is stopped by a bounce before an unsubscribe", [news, bounce], "news", bounce],
    ["is stopped by a manual entry before an unsubscribe", [news, manual], "news", manual],
    ["is stopped by `*` before its own topic", [row("manual", "news"), manual], "news", manual],
  ])("%s", (_name, rows, topic, expected) => {
    expect(findSuppressing(rows, topic)).toEqual(expected);
    expect(findSuppressing(rows.toReversed(), topic)).toEqual(expected);
  });
});

describe("a bounce", () => {
  it("suppresses each address for every topic, for 90 days from the bounce", async () => {
    const scope = newTeam();
    const unclear = { ...bounced("bob@example.org"), classification: null, smtpCode: null };
    await suppressForBounce(scope, [bounced(" Ann@Example.org "), unclear], NOW + 5);
    const [ann, bob, ...more] = await rowsOf(scope);
    expect(more).toEqual([]);
    expect(ann).toEqual({
      id: expect.stringMatching(/^sup_[0-9a-f-]{36}$/) as string,
      email: ANN,
      topic: "*",
      reason: "permanent_bounce",
      origin: "auto",
      classification: "InvalidRecipient",
      smtp_code: 550,
      note: null,
      suppressed_at: NOW,
      expires_at: NOW + BOUNCE_SUPPRESSION_MS,
      created_at: NOW + 5,
    });
    expect(bob).toMatchObject({ email: "bob@example.org", classification: null, smtp_code: null });
    expect(bob?.id).not.toBe(ann?.id);
  });

  it("renews the 90 days on a repeat, keeping the id, the note and the first time", async () => {
    const scope = newTeam();
    await suppressForBounce(scope, [bounced(ANN)], NOW);
    const noted = "UPDATE suppressions SET note = 'called them' WHERE team_id = ?";
    await scope.db.prepare(noted).bind(scope.teamId).run();
    const [before] = await rowsOf(scope);
    const later = NOW + 10 * DAY_MS;
    const again = { ...bounced(ANN, later), classification: "InactiveMailbox", smtpCode: 554 };
    await suppressForBounce(scope, [again], later);
    const cause = { classification: "InactiveMailbox", smtp_code: 554, note: "called them" };
    const renewed = { ...before, ...cause, expires_at: later + BOUNCE_SUPPRESSION_MS };
    expect(await rowsOf(scope)).toEqual([renewed]);
  });

  it("changes nothing when the same bounce is recorded twice, or an older one late", async () => {
    const scope = newTeam();
    await suppressForBounce(scope, [bounced(ANN)], NOW);
    const before = await rowsOf(scope);
    await suppressForBounce(scope, [bounced(ANN)], NOW + 1);
    await suppressForBounce(scope, [{ ...bounced(ANN, NOW - DAY_MS), smtpCode: 554 }], NOW + 2);
    expect(await rowsOf(scope)).toEqual(before);
  });

  it.each<Partial<Row>>([
    { reason: "complaint", origin: "auto", classification: "abuse" },
    { reason: "manual", note: "asked by phone" },
    { reason: "manual", expires_at: NOW + DAY_MS },
    { reason: "permanent_bounce", origin: "auto", expires_at: null },
  ])("leaves another row in force unchanged: %j", async (given) => {
    const scope = newTeam();
    const row = await put(scope, given);
    await suppressForBounce(scope, [bounced(ANN)], NOW);
    expect(await rowsOf(scope)).toEqual([row]);
  });

  it.each<Partial<Row>>([
    { reason: "permanent_bounce", origin: "auto", expires_at: NOW - 1 },
    { reason: "manual", expires_at: NOW },
  ])("replaces an expired row except its note: %j", async (given) => {
    const scope = newTeam();
    const old = await put(scope, { ...given, note: "seen before" });
    await suppressForBounce(scope, [bounced(ANN)], NOW + 1);
    const [row, ...more] = await rowsOf(scope);
    expect(more).toEqual([]);
    const renewed = { reason: "permanent_bounce", origin: "auto", note: "seen before" };
    const times = { suppressed_at: NOW, expires_at: NOW + BOUNCE_SUPPRESSION_MS };
    expect(row).toMatchObject({ ...renewed, ...times, created_at: NOW + 1 });
    expect(row?.id).not.toBe(old.id);
  });

  it("leaves rows of a topic and other teams' rows unchanged", async () => {
    const [scope, other] = [newTeam(), newTeam()];
    const topical = await put(scope, { topic: "news", reason: "unsubscribed", origin: "auto" });
    const foreign = await put(other, {});
    await suppressForBounce(scope, [bounced(ANN)], NOW);
    expect((await rowsOf(scope)).map(({ topic }) => topic)).toEqual(["*", "news"]);
    expect((await rowsOf(scope))[1]).toEqual(topical);
    expect(await rowsOf(other)).toEqual([foreign]);
  });

  it("is recorded together with hundreds of others, two of them for the same address", async () => {
    const scope = newTeam();
    const many = Array.from({ length: 500 }, (_, index) => bounced(`user${index}@example.org`));
    await suppressForBounce(scope, [...many, bounced("user7@example.org", NOW + 1)], NOW);
    const rows = await rowsOf(scope);
    expect(rows).toHaveLength(500);
    const twice = rows.find(({ email }) => email === "user7@example.org");
    expect(twice?.expires_at).toBe(NOW + 1 + BOUNCE_SUPPRESSION_MS);
    await suppressForBounce(scope, [], NOW);
  });
});

describe("the removal of expired suppressions", () => {
  it("removes only expired rows, a limited number at a time", async () => {
    const scope = newTeam();
    const past = Date.UTC(2001, 0);
    for (const [email, expires_at] of Object.entries({
      a: past - 2,
      b: past,
      c: past + 1,
      d: null,
    }))
      await put(scope, { email, expires_at });
    expect(await removeExpiredSuppressions(scope.db, past, 1)).toBe(1);
    expect(await removeExpiredSuppressions(scope.db, past, 100)).toBe(1);
    expect((await rowsOf(scope)).map(({ email }) => email)).toEqual(["c", "d"]);
  });
});
