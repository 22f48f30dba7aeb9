// Follows a team through its whole life on each core shard (decision 0032), and tests what works
// while a core shard does not answer. The other tests' teams are on both shards in turn.
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { allCores, coreBinding, coreDatabase, coreShardOf } from "../../src/db/core-shards.ts";
import type { Env } from "../../src/env.ts";
import { consumeDeliverJobs } from "../../src/mail/deliver/consumer.ts";
import { mintSecret } from "../../src/resources/api-keys/key-secret.ts";
import { listTeamsOfMember } from "../../src/resources/members/store.ts";
import { findSendingTeams } from "../../src/resources/domains/domain-lookups.ts";
import { sweep } from "../../src/sweep.ts";
import {
  ADMIN_TOKEN,
  askDeployment,
  bindings,
  call,
  everyPage,
  makeTeam,
  numberOf,
  ok,
  operator,
  type TestTeam,
} from "../support/api.ts";
import { consumeBatch } from "../support/fakes/queue-batch.ts";
import { Harness, someone, typesOf } from "../support/harness.ts";

const SHARDS = [0, 1];
const TABLES =
  "teams api_keys domains templates webhooks invitations members audit_entries deleted_teams";
const AWAY = "D1_ERROR: Network connection lost.";

const isOn = (shard: number, { id }: TestTeam) => coreShardOf(id) === shard;

/** Makes teams until one is on this core shard. */
async function on<Made extends TestTeam>(shard: number, make: () => Promise<Made>): Promise<Made> {
  for (;;) {
    const made = await make();
    if (isOn(shard, made)) return made;
  }
}

const teamOn = (shard: number) => on(shard, makeTeam);
const harnessOn = (shard: number) => on(shard, Harness.make);

/** The deployment while this core shard does not answer. */
function without(shard: number): Env {
  const down = () => Promise.reject(new Error(AWAY));
  const statement = { bind: () => statement, all: down, raw: down, run: down, first: down };
  const session = { prepare: () => statement, batch: down, getBookmark: () => null };
  const database = { ...session, withSession: () => session };
  return { ...bindings, [coreBinding(shard)]: database };
}

/** Counts the rows that name the team, by table, in one core database. */
async function rowsOf(teamId: string, core: D1Database): Promise<Record<string, number>> {
  const counted = await Promise.all(
    TABLES.split(" ").map(async (table) => {
      const column = table === "teams" || table === "deleted_teams" ? "id" : "team_id";
      const count = core.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${column} = ?`);
      return [table, (await count.bind(teamId).first<number>("n"))!] as const;
    }),
  );
  return Object.fromEntries(counted.filter(([, count]) => count > 0));
}

describe.each(SHARDS)("a team on core shard %i", (shard) => {
  it("lives there from its first request to its deletion", async () => {
    const harness = await harnessOn(shard);
    const { domain } = harness;
    const number = await numberOf(harness.id);
    expect(Math.floor(number / 131_072)).toBe(shard);
    expect(await ok(harness.get("/v1/whoami"))).toMatchObject({ team: { id: harness.id } });

    const made = await ok<{ key: string }>(
      harness.post("/v1/api-keys", { name: "Shop", permissions: "send_only" }),
      201,
    );
    expect(made.key).toMatch(shard === 0 ? /^ps_.{40}$/ : /^ps_1.{39}$/);
    const template = { name: "T", kind: "html", alias: "t", subject: "Hi {{a}}", html: "<p>1</p>" };
    const { id } = await ok<{ id: string }>(harness.post("/v1/templates", template), 201);
    await ok(harness.post(`/v1/templates/${id}/publish`));
    const to = someone();
    const body = { from: `hello@${domain}`, to: [to], template_id: "t", variables: { a: "you" } };
    const sent = await ok<{ id: string }>(call("POST", "/v1/email", { key: made.key, body }), 202);
    expect(typesOf(await harness.history(sent.id, 2))).toContain("email.delivered");
    expect((await harness.copyTo(to)).subject).toBe("Hi you");
    expect((await findSendingTeams(bindings, domain)).teams).toEqual([harness.id]);

    const hook = { name: "H", url: "https://hooks.example.com/", events: ["email.bounced"] };
    await ok(harness.post("/v1/webhooks", hook), 201);
    await ok(operator.patch(`/admin/teams/${harness.id}`, { name: "Renamed" }));
    expect(await ok(operator.get(`/admin/teams/${harness.id}`))).toMatchObject({ name: "Renamed" });
    const audit = await everyPage<{ target: string }>("/admin/audit?limit=100", ADMIN_TOKEN);
    expect(audit.some(({ target }) => target === harness.id)).toBe(true);

    const home = coreDatabase(bindings, shard);
    expect(Object.keys(await rowsOf(harness.id, home)).length).toBeGreaterThan(4);
    for (const core of allCores(bindings))
      if (core !== home) expect(await rowsOf(harness.id, core)).toEqual({});

    expect((await operator.delete(`/admin/teams/${harness.id}`)).status).toBe(204);
    expect(await rowsOf(harness.id, home)).toEqual({ audit_entries: 3, deleted_teams: 1 });
    expect((await harness.get("/v1/whoami")).status).toBe(401);
    const next = await teamOn(shard);
    expect(await numberOf(next.id)).toBeGreaterThan(number);
  });
});

it("a person may have teams on all core shards, and keeps the other teams while one shard does not answer", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const teams = [await teamOn(0), await teamOn(1)];
  const subject = crypto.randomUUID();
  for (const [index, { id }] of teams.entries())
    await coreDatabase(bindings, coreShardOf(id))
      .prepare(
        "INSERT INTO members (id, team_id, issuer, subject, email, role, may_lift, " +
          "may_read_content, created_at) VALUES (?1, ?2, 'https://id.example', ?3, 'p@example.org', " +
          "'owner', 0, 0, ?4)",
      )
      .bind(`member_${subject}_${index}`, id, subject, index)
      .run();
  const member = { teamId: teams[0]!.id, memberId: `member_${subject}_0` };
  const idsIn = async (env: Env) =>
    (await listTeamsOfMember(env, member)).map(({ teamId }) => teamId);
  expect(await idsIn(bindings)).toEqual(teams.map(({ id }) => id));
  expect(await idsIn(without(1))).toEqual([teams[0]!.id]);
});

describe("a core shard that does not answer", () => {
  it("causes a 502 in the contract's shape for its own teams, and changes nothing for other teams", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const [near, far] = [await harnessOn(0), await harnessOn(1)];
    const statusesOf = ({ key, domain }: Harness) =>
      Promise.all(
        [
          () => askDeployment(without(1), "GET", "/v1/whoami", key),
          () => askDeployment(without(1), "GET", "/v1/templates", key),
          () =>
            askDeployment(without(1), "POST", "/v1/email", key, {
              from: `hello@${domain}`,
              to: ["a@example.net"],
              subject: "Hi",
              text: "Hi",
            }),
        ].map(async (ask) => (await ask()).status),
      );
    expect(await statusesOf(far)).toEqual([502, 502, 502]);
    expect(await statusesOf(near)).toEqual([200, 200, 202]);
    // The isolate knows the key now, but not the team's rows.
    await ok(far.get("/v1/whoami"));
    expect(await ok(askDeployment(without(1), "GET", "/v1/templates", far.key), 502)).toEqual({
      error: { type: "internal_error", message: expect.stringContaining("Retry with backoff") },
    });
  });

  it("does not delay invented keys, which are refused before any database is asked", async () => {
    const asked = vi.fn();
    const database = new Proxy({}, { get: (_, name) => asked(name) as unknown });
    for (const key of [mintSecret(7), `${mintSecret(1).slice(0, -1)}!`, `ps_${"1".repeat(40)}`]) {
      const parts = { DB: database, CORE_1: database };
      expect((await askDeployment(parts, "GET", "/v1/whoami", key)).status).toBe(401);
    }
    expect(asked).not.toHaveBeenCalled();
  });

  it("stops no delivery of other teams, and delays the deliveries of its own teams", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const deliver = async (shard: number) => {
      const harness = await harnessOn(shard);
      const DELIVER = { sendBatch: () => Promise.resolve() } as unknown as Env["DELIVER"];
      const setEnv = (env: Env) =>
        runInDurableObject(bindings.TEAM_LEDGER.getByName(harness.id), (ledger) => {
          (ledger as unknown as { env: Env }).env = { ...env, DELIVER };
        });
      const env = without(1);
      await setEnv(env);
      const to = someone();
      const id = await harness.send({ to: [to], text: "Hi" });
      const job = { teamId: harness.id, emailId: id, recipientIndex: 0 };
      const consume = (by: Env) =>
        consumeBatch("postern-deliver", [job], (batch, later) =>
          consumeDeliverJobs(batch, by, later),
        );
      const during = await consume(env);
      const sentDuring = harness.egress.to(to).length;
      await setEnv(bindings);
      if (during.retried.length > 0) await consume(bindings);
      return { ...during, sentDuring, sent: harness.egress.to(to).length };
    };
    expect(await deliver(0)).toMatchObject({ acked: ["m0"], sentDuring: 1, sent: 1 });
    expect(await deliver(1)).toMatchObject({ retried: ["m0"], sentDuring: 0, sent: 1 });
  });

  it("does not stop the sweeps of the other core shards", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const teams = [await teamOn(0), await teamOn(1)];
    const invite = (id: string, team: string) =>
      coreDatabase(bindings, coreShardOf(team))
        .prepare("INSERT INTO invitations VALUES (?1, ?2, 'a@example.org', 'owner', 0, 0, 1, 2)")
        .bind(id, team)
        .run();
    for (const { id } of teams) await invite(`invitation_${id}`, id);
    const leftOf = async () =>
      (
        await Promise.all(
          teams.map(({ id }) => rowsOf(id, coreDatabase(bindings, coreShardOf(id)))),
        )
      ).map(({ invitations = 0 }) => invitations);
    const swept = sweep(without(0), Date.now());
    await expect(swept).rejects.toThrow(AggregateError);
    expect(await leftOf()).toEqual([1, 0]);
    await sweep(bindings, Date.now());
    expect(await leftOf()).toEqual([0, 0]);
  });
});
