// Tests how a domain's tracking is changed (src/resources/domains/tracking.ts).
import { beforeEach, describe, expect, it } from "vitest";
import { nextTracking } from "../../../../src/resources/domains/tracking.ts";
import { UpdateDomain } from "../../../../src/resources/domains/wire.ts";
import { call, create, domainOf, env, newTeam, randomName, refusalOf } from "./calls.ts";
import { Outside } from "./outside.ts";

let team: ReturnType<typeof newTeam>;

beforeEach(() => {
  new Outside().install();
  team = newTeam();
});

const patch = (id: string, tracking: unknown) =>
  call(team, "PATCH /v1/domains/:id", { id, body: { tracking } });

/** Marks the domain and its tracking as verified, as a successful check does. */
async function markVerified(id: string): Promise<void> {
  await env.DB.prepare(
    "UPDATE domains SET status = 'verified', tracking_status = 'verified', " +
      "tracking_verified_at = 1 WHERE id = ?",
  )
    .bind(id)
    .run();
}

describe("nextTracking", () => {
  const off = {
    name: "example.com",
    opensEnabled: false,
    clicksEnabled: false,
    trackingSubdomain: null,
    trackingHost: null,
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
    [
      "off, while off",
      off,
      { opensEnabled: false, clicksEnabled: false, subdomain: null },
      undefined,
    ],
    ["a flag, without a subdomain", off, { opensEnabled: true }, "refused"],
    ["a subdomain, while off", off, { subdomain: "t" }, { status: "disabled", host: null }],
    [
      "a flag and a subdomain",
      off,
      { clicksEnabled: true, subdomain: "t" },
      { status: "pending", host: "t.example.com" },
    ],
    ["the same again", on, { opensEnabled: true, clicksEnabled: false, subdomain: "t" }, undefined],
    ["another flag", on, { clicksEnabled: true }, { status: "pending", host: "t.example.com" }],
    [
      "one flag for the other",
      on,
      { opensEnabled: false, clicksEnabled: true },
      { status: "pending", host: "t.example.com" },
    ],
    ["another subdomain", on, { subdomain: "u" }, { status: "pending", host: "u.example.com" }],
    ["no subdomain, while on", on, { subdomain: null }, "refused"],
    ["the last flag off", on, { opensEnabled: false }, { status: "disabled", host: null }],
    [
      "the last flag and the subdomain off",
      on,
      { opensEnabled: false, subdomain: null },
      { status: "disabled", host: null },
    ],
    [
      "a host of 254 characters",
      on,
      { subdomain: `${"a".repeat(60)}.`.repeat(3) + "b".repeat(59) },
      "refused",
    ],
  ] as const)("%s", (_name, from, change, expected) => {
    const result = nextTracking(from, { ...nothing, ...change });
    if (expected === undefined) expect(result.kind).toBe("unchanged");
    else if (expected === "refused")
      expect(result).toEqual({
        kind: "refused",
        errors: { "tracking.subdomain": [expect.any(String)] },
      });
    else
      expect(result).toMatchObject({
        kind: "changed",
        to: { trackingStatus: expected.status, trackingHost: expected.host },
      });
  });
});

describe("PATCH /v1/domains/:id", () => {
  it("shows the CNAME to publish and waits for its verification", async () => {
    const { id } = await create(team, "shop.example.co.uk");
    const { tracking, status } = await domainOf(
      patch(id, { opens_enabled: true, clicks_enabled: true, subdomain: "Track" }),
    );
    expect(status).toBe("pending");
    expect(tracking).toEqual({
      opens_enabled: true,
      clicks_enabled: true,
      subdomain: "track",
      dns_records: [
        {
          type: "CNAME",
          name: "track.shop",
          value: expect.stringMatching(/^[a-z2-7]{16}\.track\.postern\.test$/) as string,
          purpose: "tracking",
        },
      ],
      status: "pending",
      verification_failure: null,
      verified_at: null,
    });
  });

  it("clears the verification on a real change only, and never that of the mail flow", async () => {
    const { id } = await create(team, randomName());
    await patch(id, { opens_enabled: true, subdomain: "t" });
    await markVerified(id);
    expect((await domainOf(patch(id, {}))).tracking).toMatchObject({
      status: "verified",
      verified_at: "1970-01-01T00:00:00.001Z",
    });
    expect(
      (await domainOf(patch(id, { opens_enabled: true, subdomain: "T" }))).tracking.status,
    ).toBe("verified");
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
    expect((await domainOf(patch(id, { subdomain: null }))).tracking).toMatchObject({
      status: "disabled",
      subdomain: null,
      dns_records: [],
    });
  });

  it("refuses a host that another domain of the team tracks on, until it is released", async () => {
    const name = randomName();
    const parent = await create(team, name);
    const child = await create(team, `mail.${name}`);
    await patch(child.id, { opens_enabled: true, subdomain: "t" });
    const taken = { code: "invalid", errors: { "tracking.subdomain": [expect.any(String)] } };
    expect(await refusalOf(patch(parent.id, { opens_enabled: true, subdomain: "t.mail" }))).toEqual(
      taken,
    );
    await patch(child.id, { opens_enabled: false });
    expect(
      (await domainOf(patch(parent.id, { opens_enabled: true, subdomain: "t.mail" }))).tracking
        .status,
    ).toBe("pending");
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
  const names = [
    "",
    "-a",
    "a-",
    "a_b",
    "a..b",
    ".a",
    "a.",
    "a b",
    "é",
    "bounces",
    "Bounces",
    "x.bounces",
    "_domainkey",
    "*",
    "a".repeat(64),
    "a.".repeat(1_000_000),
    7,
  ];

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
