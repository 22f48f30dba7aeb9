// Tests how a domain's tracking is changed (src/resources/domains/tracking.ts).
import { beforeEach, describe, expect, it } from "vitest";
import { nextTracking } from "../../../../src/resources/domains/tracking.ts";
import { UpdateDomain } from "../../../../src/resources/domains/wire.ts";
import { call, create, domainOf, newTeam, randomName, refusalOf } from "./calls.ts";
import { outsideOfEachTest } from "./outside.ts";
import { everyCore } from "../../../support/every-core.ts";

let team: ReturnType<typeof newTeam>;

outsideOfEachTest();
beforeEach(() => {
  team = newTeam();
});

const TAKEN = { "tracking.subdomain": [expect.any(String)] };

const patch = (id: string, tracking: unknown) =>
  call(team, "PATCH /v1/domains/:id", { id, body: { tracking } });

/** Marks the domain and its tracking as verified, as a successful check does. */
async function markVerified(id: string): Promise<void> {
  await everyCore
    .prepare(
      "UPDATE domains SET status = 'verified', tracking_status = 'verified', " +
        "tracking_verified_at = 1 WHERE id = ?",
    )
    .bind(id)
    .run();
}

describe("a change of a domain's tracking", () => {
  const LONG = `${"a".repeat(60)}.`.repeat(3) + "b".repeat(59);
  const pending = (label: string) => ({ status: "pending", host: `${label}.example.com` });
  const disabled = { status: "disabled", host: null };
  const untracked = { opensEnabled: false, clicksEnabled: false } as const;
  const nowhere = { trackingSubdomain: null, trackingHost: null } as const;
  const off = {
    name: "example.com",
    ...untracked,
    ...nowhere,
    trackingStatus: "disabled",
  } as const;
  const on = {
    ...off,
    opensEnabled: true,
    trackingSubdomain: "t",
    trackingHost: "t.example.com",
    trackingStatus: "verified",
  } as const;
  const nothing = { opensEnabled: undefined, clicksEnabled: undefined, subdomain: undefined };

  it.each([
    ["nothing, while off", off, {}, undefined],
    ["switching off, while off", off, { ...untracked, subdomain: null }, undefined],
    ["a flag, without a subdomain", off, { opensEnabled: true }, "refused"],
    ["a subdomain, while off", off, { subdomain: "t" }, disabled],
    ["a flag and a subdomain", off, { clicksEnabled: true, subdomain: "t" }, pending("t")],
    ["the same again", on, { opensEnabled: true, clicksEnabled: false, subdomain: "t" }, undefined],
    ["another flag", on, { clicksEnabled: true }, pending("t")],
    ["one flag for the other", on, { opensEnabled: false, clicksEnabled: true }, pending("t")],
    ["another subdomain", on, { subdomain: "u" }, pending("u")],
    ["no subdomain, while on", on, { subdomain: null }, "refused"],
    ["the last flag off", on, { opensEnabled: false }, disabled],
    ["all off", on, { opensEnabled: false, subdomain: null }, disabled],
    ["a host of 254 characters", on, { subdomain: LONG }, "refused"],
  ] as const)("has its result for %s", (_name, from, change, expected) => {
    const result = nextTracking(from, { ...nothing, ...change });
    if (expected === undefined) expect(result.kind).toBe("unchanged");
    else if (expected === "refused") expect(result).toEqual({ kind: "refused", errors: TAKEN });
    else {
      const to = { trackingStatus: expected.status, trackingHost: expected.host };
      expect(result).toMatchObject({ kind: "changed", to });
    }
  });
});

describe("PATCH /v1/domains/:id", () => {
  it("shows the CNAME to publish and waits for its verification", async () => {
    const { id } = await create(team, "shop.example.co.uk");
    const flags = { opens_enabled: true, clicks_enabled: true };
    const { tracking, status } = await domainOf(patch(id, { ...flags, subdomain: "Track" }));
    expect(status).toBe("pending");
    const value = expect.stringMatching(/^[a-z2-7]{16}\.track\.postern\.test$/) as string;
    const record = { type: "CNAME", name: "track.shop", value, purpose: "tracking" };
    const unseen = { status: "pending", verification_failure: null, verified_at: null };
    const named = { ...flags, subdomain: "track", dns_records: [record] };
    expect(tracking).toEqual({ ...named, ...unseen });
  });

  it("resets the verification of tracking only if something changes, and never that of the mail records", async () => {
    const { id } = await create(team, randomName());
    await patch(id, { opens_enabled: true, subdomain: "t" });
    await markVerified(id);
    expect((await domainOf(patch(id, {}))).tracking).toMatchObject({
      status: "verified",
      verified_at: "1970-01-01T00:00:00.001Z",
    });
    const same = await domainOf(patch(id, { opens_enabled: true, subdomain: "T" }));
    expect(same.tracking.status).toBe("verified");
    const changed = await domainOf(patch(id, { clicks_enabled: true }));
    expect(changed).toMatchObject({
      status: "verified",
      tracking: { status: "pending", verified_at: null, opens_enabled: true, subdomain: "t" },
    });
    await markVerified(id);
    const off = await domainOf(patch(id, { opens_enabled: false, clicks_enabled: false }));
    expect(off).toMatchObject({
      status: "verified",
      tracking: { status: "disabled", verified_at: null, subdomain: "t" },
    });
    const cleared = { status: "disabled", subdomain: null, dns_records: [] };
    expect((await domainOf(patch(id, { subdomain: null }))).tracking).toMatchObject(cleared);
  });

  it("refuses a host that another domain of the team tracks on, until it is released", async () => {
    const name = randomName();
    const parent = await create(team, name);
    const child = await create(team, `mail.${name}`);
    await patch(child.id, { opens_enabled: true, subdomain: "t" });
    const taken = { code: "invalid", errors: TAKEN };
    const same = { opens_enabled: true, subdomain: "t.mail" };
    expect(await refusalOf(patch(parent.id, same))).toEqual(taken);
    await patch(child.id, { opens_enabled: false });
    expect((await domainOf(patch(parent.id, same))).tracking.status).toBe("pending");
    expect(await refusalOf(patch(child.id, { opens_enabled: true }))).toEqual(taken);
  });

  it("lets two teams track on the same host", async () => {
    const name = randomName();
    const other = newTeam();
    for (const caller of [team, other]) {
      const { id } = await create(caller, name);
      const body = { tracking: { opens_enabled: true, subdomain: "t" } };
      expect(
        (await domainOf(call(caller, "PATCH /v1/domains/:id", { id, body }))).tracking.status,
      ).toBe("pending");
    }
  });

  it("applies all of several simultaneous changes", async () => {
    const { id } = await create(team, randomName());
    await patch(id, { subdomain: "t" });
    await Promise.all([patch(id, { opens_enabled: true }), patch(id, { clicks_enabled: true })]);
    expect((await domainOf(call(team, "GET /v1/domains/:id", { id }))).tracking).toMatchObject({
      opens_enabled: true,
      clicks_enabled: true,
      status: "pending",
    });
  });

  const malformed: [body: unknown, path: string][] = [
    [{}, "tracking"],
    [{ tracking: null }, "tracking"],
    [{ tracking: [] }, "tracking"],
    [{ tracking: { opens_enabled: "yes" } }, "tracking.opens_enabled"],
    [{ tracking: { clicks_enabled: null } }, "tracking.clicks_enabled"],
  ];
  const odd = "-a a- a_b a..b .a a. é bounces Bounces x.bounces _domainkey *".split(" ");
  const names = [...odd, "", "a b", "a".repeat(64), "a.".repeat(1_000_000), 7];

  const all = [
    ...malformed,
    ...names.map((subdomain): [unknown, string] => [
      { tracking: { subdomain } },
      "tracking.subdomain",
    ]),
  ];

  it.each(all.map(([body, path]) => ({ shown: JSON.stringify(body).slice(0, 80), body, path })))(
    "refuses $shown",
    ({ body, path }) => {
      const { error } = UpdateDomain.safeParse(body);
      expect(error?.issues.map((issue) => issue.path.join("."))).toEqual([path]);
    },
  );
});
