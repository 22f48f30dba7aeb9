// Tests suppressions by unsubscribing (src/resources/suppressions/automatic-suppressions.ts): a
// permanent row is written, unless a suppression is already in force.
import { describe, expect, it } from "vitest";
import { suppressForUnsubscribe } from "../../../../src/resources/suppressions/automatic-suppressions.ts";
import { getSuppression } from "../../../../src/resources/suppressions/store.ts";
import { bindings } from "../../../support/api.ts";
import { putSuppression } from "../../../support/suppressions.ts";

const EMAIL = "ann@example.org";
const NOW = 1_800_000_000_000;

const newTeam = () => ({ id: `team_${crypto.randomUUID()}`, key: "", keyId: "" });
const scopeOf = (team: { readonly id: string }) => ({ db: bindings.SHARD_0, teamId: team.id });

describe("an unsubscribe", () => {
  it("adds a permanent row for the topic, and changes nothing when repeated", async () => {
    const scope = scopeOf(newTeam());
    const told = { reason: "unsubscribed", suppressedAt: NOW };
    const first = await suppressForUnsubscribe(scope, " Ann@Example.org ", "news", NOW);
    expect(first).toEqual({ ...told, isNew: true });
    const again = await suppressForUnsubscribe(scope, EMAIL, "news", NOW + 5);
    expect(again).toEqual({ ...told, isNew: false });
    const row = { email: EMAIL, origin: "auto", expiresAt: null, createdAt: NOW };
    expect(await getSuppression(scope, EMAIL, "news", NOW + 10)).toMatchObject(row);
  });

  it("adds the row once, even if several come at once", async () => {
    const scope = scopeOf(newTeam());
    const answers = await Promise.all(
      [1, 2, 3].map((later) => suppressForUnsubscribe(scope, EMAIL, "news", NOW + later)),
    );
    expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(answers.map(({ suppressedAt }) => suppressedAt)).size).toBe(1);
  });

  it("leaves a row in force unchanged and replaces an expired one", async () => {
    const team = newTeam();
    const scope = scopeOf(team);
    const manual = { topic: "news", reason: "manual", origin: "manual", note: "by phone" };
    await putSuppression(team, { email: EMAIL, ...manual, expires_at: NOW + 1 });
    const before = await suppressForUnsubscribe(scope, EMAIL, "news", NOW);
    expect(before).toEqual({ reason: "manual", suppressedAt: 1, isNew: false });
    const after = await suppressForUnsubscribe(scope, EMAIL, "news", NOW + 1);
    expect(after).toEqual({ reason: "unsubscribed", suppressedAt: NOW + 1, isNew: true });
    const row = { origin: "auto", note: null, expiresAt: null };
    expect(await getSuppression(scope, EMAIL, "news", NOW + 1)).toMatchObject(row);
  });

  it("adds a row beside a suppression of every topic", async () => {
    const team = newTeam();
    await putSuppression(team, { email: EMAIL });
    const added = await suppressForUnsubscribe(scopeOf(team), EMAIL, "news", NOW);
    expect(added.isNew).toBe(true);
  });
});
