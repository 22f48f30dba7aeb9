// Tests suppressions by complaints (contract.md §Reasons and topics): they never expire, and
// nothing later shortens them.
import { beforeEach, describe, expect, it } from "vitest";
import type { Scope } from "../../../../src/db/client.ts";
import { newId } from "../../../../src/lib/ids.ts";
import {
  suppressForBounce,
  suppressForComplaint,
} from "../../../../src/resources/suppressions/automatic-suppressions.ts";
import {
  getSuppressions,
  insertSuppression,
} from "../../../../src/resources/suppressions/store.ts";
import { suppressionsOfTeam } from "../../../support/suppressions.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const NOW = Date.UTC(2026, 5, 1);
const EMAIL = "ann@example.com";

let scope: Scope;

beforeEach(() => {
  scope = suppressionsOfTeam(newId("team"));
});

const complain = (at = NOW, feedbackType = "abuse") =>
  suppressForComplaint(scope, [{ email: ` ${EMAIL.toUpperCase()}`, feedbackType, at }], at);
const bounce = (at: number) => {
  const bounced = { email: EMAIL, classification: "InvalidRecipient", smtpCode: 550, at };
  return suppressForBounce(scope, [bounced], at);
};
const row = async (now: number) => (await getSuppressions(scope, EMAIL, now))[0];

async function byHand(expiresAt: number | null): Promise<void> {
  const before = NOW - DAY_MS;
  const times = { suppressedAt: before, createdAt: before, expiresAt };
  const manual = { reason: "manual", origin: "manual", note: "by hand" } as const;
  const rest = { topic: "*", classification: null, smtpCode: null };
  const given = { id: newId("sup"), email: EMAIL, ...manual, ...rest, ...times };
  await insertSuppression(scope, given, before);
}

describe("a complaint", () => {
  it("suppresses every topic permanently, with the feedback type", async () => {
    await complain();
    const kind = { topic: "*", reason: "complaint", origin: "auto", classification: "abuse" };
    const rest = { smtpCode: null, note: null, suppressedAt: NOW, createdAt: NOW, expiresAt: null };
    expect(await row(NOW + 10_000 * DAY_MS)).toMatchObject({ email: EMAIL, ...kind, ...rest });
  });

  it("is changed by no further complaint, and not shortened by a bounce", async () => {
    await complain();
    const first = await row(NOW);
    await complain(NOW + DAY_MS, "fraud");
    await bounce(NOW + DAY_MS);
    expect(await row(NOW + 10_000 * DAY_MS)).toEqual(first);
  });

  it("replaces a bounce in force, keeping its id and first time", async () => {
    await bounce(NOW - DAY_MS);
    const first = await row(NOW);
    await complain();
    const complaint = { reason: "complaint", classification: "abuse", smtpCode: null };
    const now = await row(NOW + 10_000 * DAY_MS);
    expect(now).toEqual({ ...first, ...complaint, expiresAt: null });
  });

  it("starts afresh after an expired bounce", async () => {
    await bounce(NOW - 90 * DAY_MS);
    await complain();
    const fresh = { reason: "complaint", suppressedAt: NOW, createdAt: NOW };
    expect(await row(NOW)).toMatchObject(fresh);
  });

  it("leaves a permanent manual row and replaces a temporary one", async () => {
    await byHand(null);
    await complain();
    expect(await row(NOW)).toMatchObject({ reason: "manual", note: "by hand" });
    scope = suppressionsOfTeam(newId("team"));
    await byHand(NOW + DAY_MS);
    await complain();
    const replaced = { reason: "complaint", note: "by hand", suppressedAt: NOW - DAY_MS };
    expect(await row(NOW + 2 * DAY_MS)).toMatchObject(replaced);
  });

  it("without an address changes nothing", async () => {
    await suppressForComplaint(scope, [], NOW);
    const refused = { refusal: { code: "not_found" } };
    await expect(getSuppressions(scope, EMAIL, NOW)).rejects.toMatchObject(refused);
  });
});
