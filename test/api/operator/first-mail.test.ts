// Tests that only a send makes a team's ledger (docs/near-its-users.md): neither the endpoints nor
// the sweeps call the ledger of a team that never had mail, and the first send decides where the
// ledger is made.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { restoreLedgerAlarms, sweep } from "../../../src/sweep.ts";
import {
  ADMIN_TOKEN,
  bindings,
  call,
  callDeployment,
  fieldsOf,
  makeTeam,
  ok,
  operator,
} from "../../support/api.ts";
import { isForOperators, makeResource, published, request } from "../../support/endpoints.ts";
import { ofEachTest } from "../../support/before-tests.ts";
import { TestSender } from "../../support/test-sender.ts";

interface ShownTeam {
  readonly region: string | null;
  readonly overage_credits: number;
  readonly first_mail: Readonly<Record<string, unknown>> | null;
}

/** The options of each call that got the team's ledger. Null: the call had no options. */
let got: unknown[];
const team = ofEachTest(() => TestSender.make({ overage_credits: 7 }));

beforeEach(async () => {
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("no network"));
  got = [];
  const ledger = bindings.TEAM_LEDGER.idFromName(team.id);
  const namespace = Object.getPrototypeOf(bindings.TEAM_LEDGER) as DurableObjectNamespace;
  type Get = (name: string, options?: unknown) => DurableObjectStub;
  const original = (namespace as unknown as { readonly getByName: Get }).getByName;
  vi.spyOn(namespace, "getByName").mockImplementation(function (
    this: DurableObjectNamespace,
    ...given
  ) {
    const stub = original.apply(this, given);
    if (stub.id.equals(ledger)) got.push(given[1] ?? null);
    return stub;
  });
});

afterEach(() => vi.restoreAllMocks());

const show = (): Promise<ShownTeam> => ok<ShownTeam>(operator.get(`/admin/teams/${team.id}`));

/** Sends a message from a place. Returns the answer's status. */
async function sendFrom(cf: object, body: object, parts = {}, path = "/v1/email"): Promise<number> {
  const url = `https://api.postern.test${path}`;
  const headers = { Authorization: `Bearer ${team.key}`, "Content-Type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(body), cf };
  return (await callDeployment(parts, url, init as RequestInit)).status;
}

describe("a team that never had mail", () => {
  it("gets an answer of every endpoint except sends, and passes 15 sweeps, without a call of its ledger", async () => {
    const isOfMail = (path: string) => /^\/v1\/(?:email|recipients)\/:/.test(path);
    const answers: string[] = [];
    for (const endpoint of published) {
      const { method, path, admitsItself } = endpoint;
      if (admitsItself === true || (method === "DELETE" && path === "/admin/teams/:id")) continue;
      const key = isForOperators(endpoint) ? ADMIN_TOKEN : team.key;
      const isOwn = path.includes("/:") && !isForOperators(endpoint) && !isOfMail(path);
      const params = path.startsWith("/admin/teams/:id")
        ? { id: team.id }
        : isOwn
          ? await makeResource(endpoint, team)
          : {};
      const { status } = await request(endpoint, { key }, params);
      // The network is down, so no DNS records are published.
      const isFault = status >= 500 && status !== 503;
      if (isFault || got.length > 0) answers.push(`${status} ${method} ${path}: ${got.length}`);
    }
    for (let quarter = 0; quarter < 15; quarter += 1)
      await restoreLedgerAlarms(bindings, Date.now() + quarter * 900_000);
    await sweep(bindings, Date.now());
    expect(answers).toEqual([]);
    expect(got).toEqual([]);
    expect((await show()).first_mail).toBeNull();
    expect((await operator.delete(`/admin/teams/${team.id}`)).status).toBe(204);
    expect(got).toEqual([]);
  });

  it("has its requests counted in the isolate", async () => {
    const slow = await makeTeam({ limits: { requests_per_second: 1 } });
    const statuses: number[] = [];
    for (let index = 0; index < 4; index += 1)
      statuses.push((await call("GET", "/v1/whoami", { key: slow.key })).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
  });
});

describe("the first send", () => {
  it.each([
    ["in Europe", { continent: "EU", country: "DE", colo: "FRA" }, "weur"],
    ["in California", { continent: "NA", country: "US", colo: "SJC", longitude: "-121.9" }, "wnam"],
    ["in New York", { continent: "NA", country: "US", colo: "EWR", longitude: "-74.2" }, "enam"],
    ["in no known place", {}, null],
  ])("is noted with its place, and makes the ledger there: %s", async (_, cf, region) => {
    const body = team.mail();
    expect(await sendFrom(cf, body)).toBe(202);
    expect(got[0]).toEqual(region && { locationHint: region });
    const nowhere = { colo: null, continent: null, country: null };
    const { longitude: _longitude, ...place } = { longitude: "", ...cf };
    expect((await show()).first_mail).toEqual({
      ...nowhere,
      ...place,
      region,
      jurisdiction: null,
      at: expect.any(String),
    });
    expect(await sendFrom({ continent: "OC" }, body)).toBe(202);
    // Queue consumers call the ledger too, so the test does not count the calls.
    expect(new Set(got.filter(Boolean).map((one) => JSON.stringify(one)))).toEqual(
      new Set(region ? [`{"locationHint":"${region}"}`] : []),
    );
  });

  it("makes the ledger where the operator chose, and hands it the team's credits", async () => {
    const change = { region: "apac", overage_credits: 3, limits: { monthly: 0 } };
    const changed = operator.patch(`/admin/teams/${team.id}`, change);
    expect(await ok(changed)).toMatchObject({ region: "apac", overage_credits: 3 });
    expect(await sendFrom({ continent: "EU" }, team.mail())).toBe(202);
    expect(got[0]).toEqual({ locationHint: "apac" });
    expect(await show()).toMatchObject({ overage_credits: 2 });
    const again = (body: object) => operator.patch(`/admin/teams/${team.id}`, body);
    expect(await fieldsOf(again({ region: "weur" }))).toEqual(["region"]);
    const more = { overage_credits: 9 };
    expect(await ok(again(more))).toMatchObject(more);
  });

  it("by Resend's API gives the caller's place too", async () => {
    expect(await sendFrom({ continent: "SA" }, team.mail(), {}, "/emails")).toBe(200);
    expect(got[0]).toEqual({ locationHint: "sam" });
  });

  it("is one of several at once, and all of them ask for its region", async () => {
    const body = team.mail();
    const places = ["EU", "AS", "OC", "SA"];
    const sent = await Promise.all(places.map((continent) => sendFrom({ continent }, body)));
    expect(sent).toEqual([202, 202, 202, 202]);
    const { first_mail: noted } = await show();
    const hints = got.flatMap(
      (one) => (one as { locationHint?: string } | null)?.locationHint ?? [],
    );
    expect(new Set(hints)).toEqual(new Set([noted?.["region"]]));
    expect(hints.length).toBeGreaterThanOrEqual(4);
  });

  it("can't have an unknown region: the operator's request is refused with a list of regions", async () => {
    const body = { name: "x", region: "mars" };
    const refused = await operator.post("/admin/teams", body);
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain("must be one of wnam, enam, sam, weur, eeur, apac");
  });

  it("reaches no ledger after the deployment's jurisdiction has changed", async () => {
    // The message is scheduled, because its delivery would call the ledger too.
    const body = { ...team.mail(), scheduled_at: new Date(Date.now() + 3_600_000) };
    expect(await sendFrom({}, body)).toBe(202);
    const calls = got.length;
    expect(await sendFrom({}, body, { JURISDICTION: "eu" })).toBe(502);
    expect(got).toHaveLength(calls);
  });
});
