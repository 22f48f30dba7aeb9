// Tests GET /admin/attention (contract.md §Operator API) from a team's first refusals until the
// finding ends, and the operator's view of one team.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { METRICS_OBJECT } from "../../src/rpc/metrics-calls.ts";
import type { Env } from "../../src/env.ts";
import { HOUR_MS } from "../../src/limits.ts";
import type { Attention } from "../../src/resources/attention/wire.ts";
import type { Deliverability } from "../../src/resources/deliverability/wire.ts";
import { ADMIN_TOKEN, bindings, call, makeTeamWithLedger, ok, operator } from "../support/api.ts";
import { eventOf, messageOf } from "../unit/ledger/ledger-harness.ts";
import { ofEachTest } from "../support/before-tests.ts";

const MINUTE_MS = 60_000;
const start = Date.now();

const team = ofEachTest(makeTeamWithLedger);

const ledger = () => bindings.TEAM_LEDGER.getByName(team.id);
const setClock = (now: number) => vi.setSystemTime(now);

async function get<Answer>(path: string, key = ADMIN_TOKEN): Promise<Answer> {
  return ok<Answer>(call("GET", path, { key }));
}

/** Returns the team's entry in GET /admin/attention. */
async function entry(): Promise<Attention["worst"][number] | undefined> {
  return (await get<Attention>("/admin/attention")).worst.find((one) => one.team.id === team.id);
}

async function refuse(count: number): Promise<void> {
  const appends = Array.from({ length: count }, (_, index) => {
    const emailId = `email_${crypto.randomUUID()}`;
    const event = eventOf(emailId, start + index, {
      type: "email.bounced",
      recipient: `someone-${index}@outlook.com`,
      bounce: {
        type: "permanent",
        classification: "SpamBlock",
        smtpCode: 550,
        smtpResponse: "550 5.7.1 Blocked (S3150)",
      },
    });
    return { message: messageOf(emailId), recipientIndex: 0, event, once: null };
  });
  await ledger().append(appends, start);
}

/**
 * Runs the ledger's alarm at `now`, and waits until the ledger has checked whether the team needs
 * attention.
 */
async function checkAt(now: number): Promise<void> {
  setClock(now);
  await runDurableObjectAlarm(ledger());
  await expect
    .poll(() =>
      runInDurableObject(ledger(), (_, { storage }) =>
        storage.kv.get<{ checkedAt: number; isUnread: boolean }>("mail_check"),
      ),
    )
    .toMatchObject({ checkedAt: now });
}

describe("GET /admin/attention", () => {
  it("names a team a minute after its fifth refusal, also after a restart, until that day is over", async () => {
    await refuse(5);
    expect(await entry()).toBeUndefined();
    await checkAt(start + 2 * MINUTE_MS);
    const { findings } = await get<Deliverability>("/v1/deliverability", team.key);
    expect(findings).toMatchObject([{ kind: "refuses_all", provider: "microsoft" }]);
    await expect.poll(entry).toMatchObject({ severity: "critical", findings, held: null });
    const { teams, checked_at: at } = await get<Attention>("/admin/attention");
    expect(teams.critical).toBeGreaterThanOrEqual(1);
    expect(teams.total).toBeGreaterThanOrEqual(teams.critical);
    expect(Date.parse(at)).toBeGreaterThanOrEqual(start);

    await evictDurableObject(ledger());
    await checkAt(start + HOUR_MS + 3 * MINUTE_MS);
    expect(await entry()).toMatchObject({ severity: "critical" });
    setClock(start + 26 * HOUR_MS);
    const expected = { teams: { critical: 0, warning: 0 }, worst: [] };
    expect(await get<Attention>("/admin/attention")).toMatchObject(expected);
    await checkAt(start + 26 * HOUR_MS);
    expect(
      await runInDurableObject(ledger(), (_, { storage }) => storage.kv.get("mail_check")),
    ).toMatchObject({ dueAt: null, critical: 0 });
  });

  it("does not name a team with four refusals", async () => {
    await refuse(4);
    await checkAt(start + 2 * MINUTE_MS);
    expect(await entry()).toBeUndefined();
  });

  it("names a team whose ledger could not read all mail, and the ledger tries again in five minutes", async () => {
    await refuse(5);
    await runInDurableObject(ledger(), (instance) => {
      const down = () => {
        throw new Error("the database is down");
      };
      const holder = instance as unknown as { env: Env };
      holder.env = {
        ...bindings,
        SHARD_0: { batch: down, prepare: down, withSession: down },
      } as never;
    });
    await checkAt(start + 2 * MINUTE_MS);
    await expect.poll(entry).toMatchObject({ findings: [{ kind: "refuses_all" }] });
    expect((await get<Attention>("/admin/attention")).teams.unread).toBeGreaterThanOrEqual(1);
    await evictDurableObject(ledger());
    await checkAt(start + 8 * MINUTE_MS);
    await expect.poll(entry).toMatchObject({ severity: "critical" });
  });

  it("names stuck mail with its numbers, and at most as many teams as the limit allows", async () => {
    const metrics = bindings.METRICS.getByName(METRICS_OBJECT);
    const stuck = { queued: 9, deferred: 1, stuck: 1_000_000_000, oldestAcceptedAt: start };
    await metrics.report(team.id, stuck, start);
    const first = (await get<Attention>("/admin/attention")).worst[0]!;
    expect(first).toEqual({
      team: { id: team.id, name: expect.any(String) as string },
      severity: "critical",
      findings: [],
      held: {
        waiting: 0,
        queued: 9,
        attempting: 0,
        deferred: 1,
        awaiting: 0,
        stuck: 1_000_000_000,
        oldest_accepted_at: new Date(start).toISOString(),
      },
      sending_holds: [],
      is_full: false,
      reported_at: new Date(start).toISOString(),
    });
    const { worst } = await get<Attention>("/admin/attention?skip=1");
    expect(worst.map((one) => one.team.id)).not.toContain(team.id);
    await metrics.report(team.id, null, start);
    expect((await operator.get("/admin/attention?skip=-1")).status).toBe(422);
  });
});

describe("a team as its operator sees it", () => {
  it("has the report and the usage that the team itself reads", async () => {
    await refuse(5);
    for (const noun of ["deliverability", "usage"])
      expect(await get(`/admin/teams/${team.id}/${noun}`)).toEqual(
        await get(`/v1/${noun}`, team.key),
      );
  });
});
