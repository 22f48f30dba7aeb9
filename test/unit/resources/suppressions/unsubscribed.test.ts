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

describe("suppressForUnsubscribe", () => {
  it("adds a permanent row for the topic and returns the same when repeated", async () => {
    const scope = scopeOf(newTeam());
    expect(await suppressForUnsubscribe(scope, " Ann@Example.org ", "news", NOW)).toEqual({
      reason: "unsubscribed",
      suppressedAt: NOW,
      isNew: true,
    });
    expect(await suppressForUnsubscribe(scope, EMAIL, "news", NOW + 5)).toEqual({
      reason: "unsubscribed",
      suppressedAt: NOW,
      isNew: false,
    });
    expect(await getSuppression(scope, EMAIL, "news", NOW + 10)).toMatchObject({
      email: EMAIL,
      origin: "auto",
      expiresAt: null,
      createdAt: NOW,
    });
  });

  it("adds the row once when called several times at once", async () => {
    const scope = scopeOf(newTeam());
    const answers = await Promise.all(
      [1, 2, 3].map((later) => suppressForUnsubscribe(scope, EMAIL, "news", NOW + later)),
    );
    expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(answers.map(({ suppressedAt }) => suppressedAt)).size).toBe(1);
  });

  it("leaves a row in force unchanged and replaces an expired one", async () => {
    const team = newTeam();
    const row = {
      email: EMAIL,
      topic: "news",
      reason: "manual",
      origin: "manual",
      note: "by phone",
    };
    await putSuppression(team, { ...row, expires_at: NOW + 1 });
    expect(await suppressForUnsubscribe(scopeOf(team), EMAIL, "news", NOW)).toEqual({
      reason: "manual",
      suppressedAt: 1,
      isNew: false,
    });
    expect(await suppressForUnsubscribe(scopeOf(team), EMAIL, "news", NOW + 1)).toEqual({
      reason: "unsubscribed",
      suppressedAt: NOW + 1,
      isNew: true,
    });
    expect(await getSuppression(scopeOf(team), EMAIL, "news", NOW + 1)).toMatchObject({
      origin: "auto",
      note: null,
      expiresAt: null,
    });
  });

  it("adds a row beside a suppression of every topic", async () => {
    const team = newTeam();
    await putSuppression(team, { email: EMAIL });
    expect(await suppressForUnsubscribe(scopeOf(team), EMAIL, "news", NOW)).toMatchObject({
      isNew: true,
    });
  });
});
