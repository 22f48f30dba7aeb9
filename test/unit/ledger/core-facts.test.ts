// Tests what a ledger remembers of the core database (src/ledger/core-facts.ts, decision 0031).
import { runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { CoreFacts } from "../../../src/ledger/core-facts.ts";
import { TeamLedger } from "../../../src/ledger/team-ledger.ts";
import {
  bindings,
  makeTeam,
  makeTeamWithLedger,
  ok,
  operator,
  statement,
  type TestTeam,
} from "../../support/api.ts";
import { idOfDomain, makeSendingDomain } from "../../support/domain.ts";
import { Harness, someone } from "../../support/harness.ts";
import { NOON, policy, recordQueue } from "./ledger-harness.ts";
import { watchedDatabase } from "../../support/fakes/watched-database.ts";
import { withCore } from "../../support/every-core.ts";
import { coreWith } from "../../../src/db/core-shards.ts";

const MINUTE = 60_000;

let team: TestTeam;
let domainId: string;
let reads: number;
/** Runs before each read of the core database. */
let beforeRead: () => void;
let facts: CoreFacts;

beforeEach(async () => {
  team = await makeTeamWithLedger();
  domainId = await idOfDomain(await makeSendingDomain(team.id));
  reads = 0;
  beforeRead = () => undefined;
  const prepare = (sql: string) => {
    reads += 1;
    beforeRead();
    return coreWith(bindings, team.id).prepare(sql);
  };
  const watched = withCore(team.id, watchedDatabase(prepare));
  facts = new CoreFacts(team.id, () => ({ ...bindings, ...watched }));
});

describe("the facts of a team", () => {
  it("are read in one query a minute, however many ask at once and for however many domains", async () => {
    const other = await idOfDomain(await makeSendingDomain(team.id));
    await facts.team(NOON);
    const all = Array.from({ length: 20 }, () => facts.domains([domainId, other], NOON));
    for (const domains of await Promise.all(all))
      expect(Object.values(domains)).toMatchObject([{ tracking: null }, { tracking: null }]);
    expect(await facts.team(NOON + MINUTE - 1)).toMatchObject({ id: team.id, courier: null });
    expect(await facts.subscriptions(NOON + MINUTE - 1)).toEqual([]);
    expect(reads).toBe(1);
    await facts.domains([other], NOON + MINUTE);
    await facts.domains([domainId, other], NOON + MINUTE);
    expect(reads).toBe(2);
  });

  it("are read again after each change, also if the change came during a read", async () => {
    await facts.team(NOON);
    beforeRead = () => {
      beforeRead = () => undefined;
      facts.forget();
    };
    facts.forget();
    await facts.team(NOON);
    await facts.team(NOON);
    await facts.team(NOON);
    expect(reads).toBe(3);
  });

  it("have no domain that was deleted or belongs to another team", async () => {
    const foreign = await idOfDomain(await makeSendingDomain((await makeTeam()).id));
    await statement("DELETE FROM domains WHERE id = ?", domainId).run();
    expect(await facts.domains([domainId, foreign], NOON)).toEqual({
      [domainId]: null,
      [foreign]: null,
    });
  });

  it("are remembered for at most a hundred domains", async () => {
    const ids = Array.from({ length: 150 }, (_, index) => `domain_${index}`);
    expect(Object.keys(await facts.domains(ids, NOON))).toHaveLength(150);
    await facts.domains(ids.slice(50), NOON);
    expect(reads).toBe(1);
    await facts.domains(ids.slice(0, 1), NOON);
    expect(reads).toBe(2);
  });
});

it("a change of settings reaches the ledger of a team that has had mail, and no other ledger", async () => {
  const told = vi.spyOn(TeamLedger.prototype, "webhooksChanged");
  const changes = async (of: TestTeam): Promise<number> => {
    told.mockClear();
    const id = await idOfDomain(await makeSendingDomain(of.id));
    expect((await of.patch("/v1/team", { reads_replies: true })).status).toBe(200);
    const tracking = { clicks_enabled: true, subdomain: "click" };
    expect((await of.patch(`/v1/domains/${id}`, { tracking })).status).toBe(200);
    return told.mock.calls.length;
  };
  expect(await changes(team)).toBe(2);
  expect(await changes(await makeTeam())).toBe(0);
});

it("a lowered limit applies at once, also for an isolate that read the team from a replica", async () => {
  const ledger = bindings.TEAM_LEDGER.getByName(team.id);
  const old = policy({ requestsPerSecond: 50, asOf: 0 });
  const limitNow = async () => (await ledger.takeRequest(old, Date.now())).rate.limit;
  expect(await limitNow()).toBe(50);
  await ok(operator.patch(`/admin/teams/${team.id}`, { limits: { requests_per_second: 7 } }));
  expect(await limitNow()).toBe(7);
});

it("a claim returns the sealed key, which is never on the ledger's disk", async () => {
  const harness = await Harness.make();
  const ledger = bindings.TEAM_LEDGER.getByName(harness.id);
  const queue = await recordQueue(ledger);
  const id = await harness.send({ to: [someone()], text: "Hi" });
  const claim = await ledger.claim(queue.jobs, Date.now());
  const { key } = claim.facts!.domains[await idOfDomain(harness.domain)]!;
  expect(key).toMatchObject({ domain: harness.domain, selector: "ps1" });
  const disk = await runInDurableObject(ledger, (_, { storage: { sql, kv } }) => {
    const tables = sql
      .exec<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .toArray()
      .filter(({ name }) => !name.startsWith("_cf"))
      .map(({ name }) => sql.exec(`SELECT * FROM "${name}"`).toArray());
    return JSON.stringify([tables, [...kv.list()]]);
  });
  expect(disk).toContain(id);
  expect(disk).not.toContain(key.privateKeyEncrypted);
});
