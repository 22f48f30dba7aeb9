// Tests how domains are created and deleted (src/resources/domains/provisioning.ts).
import { describe, expect, it } from "vitest";
import type { Env } from "../../../../src/env.ts";
import { call, create, env, newTeam, randomName, refusalOf } from "./calls.ts";
import { outsideOfEachTest } from "./outside.ts";
import { everyCore, withCore } from "../../../support/every-core.ts";
import { coreWith } from "../../../../src/db/core-shards.ts";

const outside = outsideOfEachTest();

/** Returns an Env whose cleanup queue only records its jobs. */
function withQueue(): { jobs: unknown[]; env: Env } {
  const jobs: unknown[] = [];
  const send = async (job: unknown) => void jobs.push(job);
  const DNS_CLEANUP = { send } as unknown as Env["DNS_CLEANUP"];
  return { jobs, env: { ...env, DNS_CLEANUP } };
}

async function rowsOf(teamId: string): Promise<{ domains: number; keys: number }> {
  const own = "FROM domains WHERE team_id = ?1";
  const count = async (rows: string) =>
    (await everyCore.prepare(`SELECT count(*) AS n ${rows}`).bind(teamId).first<number>("n"))!;
  const keys = await count(`FROM dkim_keys WHERE domain_id IN (SELECT id ${own})`);
  return { domains: await count(own), keys };
}

describe("POST /v1/domains", () => {
  it("shows a pending domain with one verification and two DKIM records", async () => {
    const now = Date.UTC(2026, 10, 1);
    const domain = await create(newTeam(), "Mail.Example.co.uk.", { now });
    expect(domain).toMatchObject({
      name: "mail.example.co.uk",
      status: "pending",
      verification_failure: null,
      verified_at: null,
    });
    expect(domain.id).toMatch(/^domain_[0-9a-f]{8}-[0-9a-f]{4}-[48]/);
    expect(domain.created_at).toBe("2026-11-01T00:00:00.000Z");
    expect(domain.dns_records.map(({ type, name, purpose }) => [type, name, purpose])).toEqual([
      ["CNAME", "bounces.mail", "verification"],
      ["CNAME", "ps1._domainkey.mail", "dkim"],
      ["CNAME", "ps2._domainkey.mail", "dkim"],
    ]);
    expect(domain.dns_records.map(({ value }) => value)).toEqual([
      expect.stringMatching(/^[a-z2-7]{16}\.return-path\.postern\.test$/),
      expect.stringMatching(/^ps1\.[a-z2-7]{16}\.dkim\.postern\.test$/),
      expect.stringMatching(/^ps2\.[a-z2-7]{16}\.dkim\.postern\.test$/),
    ]);
    const off = { opens_enabled: false, clicks_enabled: false, subdomain: null, dns_records: [] };
    const unseen = { status: "disabled", verification_failure: null, verified_at: null };
    expect(domain.tracking).toEqual({ ...off, ...unseen });
  });

  it("publishes both keys as TXT records of strings that DNS can hold", async () => {
    const domain = await create(newTeam(), randomName());
    const records = [...outside.published.values()];
    expect(records.map(({ name }) => name).toSorted()).toEqual(
      domain.dns_records.slice(1).map(({ value }) => value),
    );
    for (const { type, content } of records) {
      expect(type).toBe("TXT");
      const strings = [...content.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? "");
      expect(content).toBe(strings.map((string) => `"${string}"`).join(" "));
      expect(strings.every((string) => string.length <= 255)).toBe(true);
      expect(strings.join("")).toMatch(/^v=DKIM1; k=rsa; p=MII[A-Za-z0-9+/]{380,}={0,2}$/);
    }
  });

  it.each([
    ["example.test", "bounces"],
    ["a.b.c.example.com", "bounces.a.b.c"],
    ["bücher.example", "bounces"],
    ["post.bücher.de", "bounces.post"],
    ["mail.example.uk.com", "bounces.mail"],
    ["食狮.公司.cn", "bounces"],
  ])("names the records of %s relative to its registrable domain", async (name, record) => {
    expect((await create(newTeam(), name)).dns_records[0]?.name).toBe(record);
  });

  it("stores an internationalised name in ASCII", async () => {
    expect((await create(newTeam(), "BÜCHER.Example")).name).toBe("xn--bcher-kva.example");
  });

  const long = [`${"a".repeat(64)}.example.com`, `${"a.".repeat(115)}example.com`];
  const impossible = [
    ...". localhost com co.uk github.io 公司.cn 192.0.2.1 [2001:db8::1] 1.2 0x7f.1".split(" "),
    ..."a_b.example.com _domainkey.example.com -a.example.com a-.example.com".split(" "),
    ..."a..example.com .example.com example.com.. user@example.com".split(" "),
    ..."https://example.com example.com/path ex%61mple.com xn--a.example *.example.com".split(" "),
    ..."postern.test mail.postern.test POSTERN.test.".split(" "),
    ...long,
    "a.".repeat(100_000),
    "exa mple.com",
    "",
  ];

  it.each(impossible.map((name) => ({ shown: name.slice(0, 80), name })))(
    "refuses `$shown` as a name",
    async ({ name }) => {
      expect(await refusalOf(create(newTeam(), name))).toMatchObject({
        code: "invalid",
        errors: { name: [expect.any(String)] },
      });
      expect(outside.apiCalls).toEqual([]);
    },
  );

  it("refuses a name that the team already has, in any spelling", async () => {
    const team = newTeam();
    const name = randomName("bücher.example");
    await create(team, name);
    const errors = { name: [expect.stringContaining("already")] };
    const again = create(team, `${name.toUpperCase()}.`);
    expect(await refusalOf(again)).toMatchObject({ code: "invalid", errors });
    expect(outside.published.size).toBe(2);
  });

  it("lets two teams have the same name, each with its own records", async () => {
    const name = randomName();
    const [one, other] = [await create(newTeam(), name), await create(newTeam(), name)];
    const values = [...one.dns_records, ...other.dns_records].map(({ value }) => value);
    expect(new Set(values).size).toBe(6);
    expect(outside.published.size).toBe(4);
  });

  it("lets exactly one of several simultaneous creations win and removes the others' records", async () => {
    const team = newTeam();
    const name = randomName();
    const results = await Promise.allSettled([1, 2, 3].map(() => create(team, name)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await rowsOf(team.team.id)).toEqual({ domains: 1, keys: 2 });
    expect(outside.published.size).toBe(2);
  });
});

describe("a publication that fails", () => {
  const full = { code: 81_045, message: "Record quota exceeded." };
  const odd: [string, () => Response | Promise<Response>, boolean, string?][] = [
    ["HTTP 500", () => new Response("down", { status: 500 }), true],
    ["HTTP 403", () => new Response("{}", { status: 403 }), false, "HTTP 403"],
    [
      "a full zone",
      () => Response.json({ success: false, errors: [full] }, { status: 400 }),
      false,
      "HTTP 400, 81045: Record quota exceeded",
    ],
    ["success: false", () => Response.json({ success: false, result: null }), true],
    ["no id", () => Response.json({ success: true, result: {} }), true],
    ["no JSON", () => new Response("<html>"), true],
    ["null", () => new Response("null"), true],
    ["no connection", () => Promise.reject(new TypeError("fetch failed")), true],
  ];

  it.each(
    odd.flatMap(([name, answer, unclear, reason = null]) =>
      [1, 2].map((nth) => [name, nth, answer, unclear, reason] as const),
    ),
  )(
    "that fails with %s at record %d ends with 503 and leaves nothing",
    async (_name, failing, answer, unclear, reason) => {
      const team = newTeam();
      const queue = withQueue();
      outside.onApi = (_request, nth) => (nth === failing ? answer() : undefined);
      expect(await refusalOf(create(team, randomName(), { env: queue.env }))).toEqual({
        code: "provisioning_failed",
        reason,
      });
      expect(outside.published.size).toBe(0);
      expect(await rowsOf(team.team.id)).toEqual({ domains: 0, keys: 0 });
      // An API error can hide that the record was created, so the cleanup job looks for it by name.
      expect(queue.jobs).toEqual(
        unclear
          ? [{ recordIds: [], names: [expect.stringMatching(/^ps[12]\..*\.dkim\.postern\.test$/)] }]
          : [],
      );
    },
  );

  it("queues records that cannot be removed at once", async () => {
    const queue = withQueue();
    outside.onApi = (request, nth) =>
      nth === 2 || request.method === "DELETE" ? new Response(null, { status: 503 }) : undefined;
    expect((await refusalOf(create(newTeam(), randomName(), { env: queue.env }))).code).toBe(
      "provisioning_failed",
    );
    expect(queue.jobs).toEqual([
      { recordIds: [...outside.published.keys()], names: [expect.any(String)] },
    ]);
  });

  it("is safe to retry", async () => {
    const team = newTeam();
    const name = randomName();
    outside.onApi = () => new Response(null, { status: 400 });
    expect((await refusalOf(create(team, name))).code).toBe("provisioning_failed");
    outside.onApi = () => undefined;
    expect((await create(team, name)).name).toBe(name);
  });

  it("leaves no records when the database fails afterwards", async () => {
    const queue = withQueue();
    const team = newTeam();
    const core = coreWith(env, team.team.id);
    const prepare = core.prepare.bind(core);
    const batch = () => Promise.reject(new Error("D1 is away"));
    const given = { ...queue.env, ...withCore(team.team.id, { prepare, batch }) };
    await expect(create(team, randomName(), { env: given })).rejects.toThrow("D1 is away");
    expect(queue.jobs).toEqual([
      { recordIds: [...outside.published.keys()], domainId: expect.stringMatching(/^domain_/) },
    ]);
  });
});

describe("DELETE /v1/domains/:id", () => {
  it("removes the domain and its keys at once and queues its records", async () => {
    const team = newTeam();
    const queue = withQueue();
    const { id, name } = await create(team, randomName());
    expect(await call(team, "DELETE /v1/domains/:id", { id, env: queue.env })).toEqual({
      status: 204,
    });
    expect(queue.jobs).toEqual([
      { recordIds: expect.arrayContaining([...outside.published.keys()]) as unknown, domainId: id },
    ]);
    const keys = everyCore
      .prepare("SELECT count(*) AS n FROM dkim_keys WHERE domain_id = ?")
      .bind(id);
    expect(await keys.first("n")).toBe(0);
    expect((await refusalOf(call(team, "GET /v1/domains/:id", { id }))).code).toBe("not_found");
    expect((await refusalOf(call(team, "DELETE /v1/domains/:id", { id }))).code).toBe("not_found");
    expect((await create(team, name)).id).not.toBe(id);
  });
});
