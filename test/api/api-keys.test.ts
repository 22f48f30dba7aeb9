// /v1/api-keys through the worker's own fetch (src/resources/api-keys, contract.md §API keys).
import { describe, expect, it } from "vitest";
import { bindings, call, type ErrorBody, makeTeam, type TestTeam } from "../support/api.ts";

interface Key {
  readonly id: string;
  readonly name: string;
  readonly key_prefix: string;
  readonly permissions: string;
  readonly allowed_domains: string[] | null;
  readonly allowed_ips: string[] | null;
  readonly last_used_at: string | null;
  readonly created_at: string;
  readonly key: string;
}

interface List {
  readonly data: Key[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

const SENDING = { name: "sender", permissions: "send_only" };
const busyTeam = () => makeTeam({ limits: { requests_per_second: 10_000 } });
const post = ({ key }: TestTeam, body: unknown) => call("POST", "/v1/api-keys", { key, body });
const patch = ({ key }: TestTeam, id: string, body: unknown) =>
  call("PATCH", `/v1/api-keys/${id}`, { key, body });
const statusOf = async (key: string, path = "/v1/whoami", ip = "198.51.100.40") => {
  const response = await call("GET", path, { key, ip });
  await response.arrayBuffer();
  return response.status;
};

async function create(team: TestTeam, body: unknown = SENDING): Promise<Key> {
  const response = await post(team, body);
  expect(response.status).toBe(201);
  return response.json<Key>();
}

async function errorsOf(response: Response, status: number): Promise<Record<string, string[]>> {
  expect(response.status).toBe(status);
  const { error } = await response.json<ErrorBody>();
  expect(error.type).toBe(status === 404 ? "not_found" : "validation_error");
  return error.errors ?? {};
}

describe("creating a key", () => {
  it("shows the secret once, in the create response, and stores only its hash", async () => {
    const team = await busyTeam();
    const response = await post(team, {
      ...SENDING,
      allowed_domains: ["example.test"],
      allowed_ips: ["192.0.2.0/24"],
      extra: 1,
    });
    expect(response.status).toBe(201);
    const text = await response.text();
    const made = JSON.parse(text) as Key;
    expect(Object.keys(made)).toEqual([
      "id",
      "name",
      "key_prefix",
      "permissions",
      "allowed_domains",
      "allowed_ips",
      "last_used_at",
      "created_at",
      "key",
    ]);
    expect(made).toEqual({
      id: expect.stringMatching(
        /^key_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      name: "sender",
      key_prefix: made.key.slice(0, 12),
      permissions: "send_only",
      allowed_domains: ["example.test"],
      allowed_ips: ["192.0.2.0/24"],
      last_used_at: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      key: expect.stringMatching(/^ps_[0-9A-Za-z]{40}$/),
    });
    const shown = await (await call("GET", `/v1/api-keys/${made.id}`, { key: team.key })).json();
    const { key: secret, ...rest } = made;
    expect(shown).toEqual(rest);
    const stored = await bindings.DB.prepare("SELECT * FROM api_keys WHERE id = ?")
      .bind(made.id)
      .first();
    expect(JSON.stringify(stored)).not.toContain(secret.slice(12));
  });

  it("makes keys that work at once, with the permission that was asked for", async () => {
    const team = await busyTeam();
    const [sender, full] = [
      await create(team),
      await create(team, { name: "full", permissions: "full" }),
    ];
    expect(await statusOf(sender.key)).toBe(200);
    expect(await statusOf(sender.key, "/v1/api-keys")).toBe(403);
    expect(await statusOf(full.key, "/v1/api-keys")).toBe(200);
    const { key } = sender;
    expect((await call("POST", "/v1/api-keys", { key, body: SENDING })).status).toBe(403);
    expect((await call("DELETE", `/v1/api-keys/${sender.id}`, { key })).status).toBe(403);
  });

  it.each([
    [undefined, undefined],
    [null, null],
    [[], []],
  ])("takes %j for a restriction as none", async (allowed_domains, allowed_ips) => {
    const made = await create(await busyTeam(), { ...SENDING, allowed_domains, allowed_ips });
    expect(made).toMatchObject({ allowed_domains: null, allowed_ips: null });
  });

  it("keeps domains as the DNS spells them, once each, whether or not the team has them", async () => {
    const allowed_domains = [
      " Example.TEST ",
      "example.test.",
      "bücher.example",
      "xn--bcher-kva.example",
      "mail.example.co.uk",
    ];
    const made = await create(await busyTeam(), { ...SENDING, allowed_domains });
    expect(made.allowed_domains).toEqual([
      "example.test",
      "xn--bcher-kva.example",
      "mail.example.co.uk",
    ]);
  });

  it("keeps addresses and blocks as they were written, once each", async () => {
    const allowed_ips = [
      "192.0.2.7",
      " 192.0.2.7 ",
      "192.0.2.9/24",
      "2001:DB8::1",
      "2001:db8::/32",
      "::ffff:192.0.2.0/120",
      "0.0.0.0/0",
    ];
    const made = await create(await busyTeam(), { ...SENDING, allowed_ips });
    expect(made.allowed_ips).toEqual([
      "192.0.2.7",
      "192.0.2.9/24",
      "2001:DB8::1",
      "2001:db8::/32",
      "::ffff:192.0.2.0/120",
      "0.0.0.0/0",
    ]);
  });

  it.each([
    [{}, ["name", "permissions"]],
    [{ name: "x" }, ["permissions"]],
    [{ permissions: "full" }, ["name"]],
    [{ ...SENDING, name: "" }, ["name"]],
    [{ ...SENDING, name: " \u3000 " }, ["name"]],
    [{ ...SENDING, name: null }, ["name"]],
    [{ ...SENDING, name: 7 }, ["name"]],
    [{ ...SENDING, name: "x".repeat(201) }, ["name"]],
    [{ ...SENDING, name: "🙂".repeat(201) }, ["name"]],
    [{ ...SENDING, name: "a\u0000b" }, ["name"]],
    [{ ...SENDING, name: "a\nb" }, ["name"]],
    [{ ...SENDING, name: "a\ud800b" }, ["name"]],
    [{ ...SENDING, permissions: "admin" }, ["permissions"]],
    [{ ...SENDING, permissions: null }, ["permissions"]],
    [{ ...SENDING, allowed_domains: "example.test" }, ["allowed_domains"]],
    [{ ...SENDING, allowed_domains: {} }, ["allowed_domains"]],
    [
      {
        ...SENDING,
        allowed_domains: ["ok.test", "a b.test", 7, "*.ok.test", "ok", "192.0.2.1", "", "a@b.test"],
      },
      [1, 2, 3, 4, 5, 6, 7].map((index) => `allowed_domains.${index}`),
    ],
    [{ ...SENDING, allowed_domains: ["\ud800.test"] }, ["allowed_domains.0"]],
    [
      { ...SENDING, allowed_domains: Array.from({ length: 101 }, (_, index) => `d${index}.test`) },
      ["allowed_domains"],
    ],
    [
      {
        ...SENDING,
        allowed_ips: [
          "192.0.2.1",
          "192.0.2.256",
          "192.0.2.0/33",
          "2001:db8::/129",
          "localhost",
          "",
          null,
          "fe80::1%eth0",
          "192.0.2.01",
        ],
      },
      [1, 2, 3, 4, 5, 6, 7, 8].map((index) => `allowed_ips.${index}`),
    ],
    [
      { ...SENDING, allowed_ips: Array.from({ length: 101 }, (_, index) => `192.0.2.${index}`) },
      ["allowed_ips"],
    ],
    [
      { name: "", permissions: "none", allowed_ips: ["x"], allowed_domains: ["y"] },
      ["name", "permissions", "allowed_domains.0", "allowed_ips.0"],
    ],
  ])("answers 422 to %j, on %j and nothing else", async (body, paths) => {
    const team = await busyTeam();
    for (const response of [await post(team, body), await patch(team, team.keyId, body)]) {
      expect(Object.keys(await errorsOf(response, 422)).toSorted()).toEqual(paths.toSorted());
    }
  });

  it("answers a list of a million entries with one error", async () => {
    const raw = `{"name":"x","permissions":"full","allowed_ips":[${"1,".repeat(1_000_000)}1]}`;
    const { key } = await busyTeam();
    const response = await call("POST", "/v1/api-keys", { key, raw });
    expect(await errorsOf(response, 422)).toEqual({ allowed_ips: ["must be at most 100 entries"] });
  });

  it.each([
    "x".repeat(200),
    "🙂".repeat(200),
    " spaced ",
    "עברית \u202eright to left",
    "e\u0301 z\u200dwj \ufeff",
    "'; DROP TABLE api_keys; --",
    "{{name}} %00 \\u0000",
  ])("gives the name %j back as it was", async (name) => {
    const team = await busyTeam();
    const made = await create(team, { ...SENDING, name });
    expect(made.name).toBe(name);
    expect(
      await (await call("GET", `/v1/api-keys/${made.id}`, { key: team.key })).json(),
    ).toMatchObject({ name });
  });

  it("refuses what is no JSON object", async () => {
    const { key } = await busyTeam();
    expect(
      await errorsOf(await call("POST", "/v1/api-keys", { key, raw: "[]" }), 400),
    ).toHaveProperty("body");
    expect(
      (
        await call("POST", "/v1/api-keys", {
          key,
          raw: "{}",
          headers: { "Content-Type": "text/plain" },
        })
      ).status,
    ).toBe(415);
  });
});

describe("listing keys", () => {
  it("pages from the newest to the oldest without gaps or repeats, though keys are added meanwhile", async () => {
    const team = await busyTeam();
    const made = [team.keyId];
    for (let index = 0; index < 6; index += 1)
      made.unshift((await create(team, { ...SENDING, name: `key ${index}` })).id);
    const seen: string[] = [];
    for (let after: string | null = ""; after !== null;) {
      const list: List = await (
        await call("GET", `/v1/api-keys?limit=2${after && `&after=${after}`}`, { key: team.key })
      ).json();
      expect(list.has_more).toBe(list.next_cursor !== null);
      seen.push(...list.data.map(({ id }) => id));
      for (const shown of list.data) expect(shown).not.toHaveProperty("key");
      if (seen.length === 2) await create(team, { ...SENDING, name: "late" });
      after = list.next_cursor;
    }
    expect(seen.toSorted()).toEqual(made.toSorted());
    const times = await Promise.all(
      seen.map((id) =>
        bindings.DB.prepare("SELECT created_at FROM api_keys WHERE id = ?")
          .bind(id)
          .first<number>("created_at"),
      ),
    );
    expect(times).toEqual(times.toSorted((left, right) => Number(right) - Number(left)));
  });

  it("keeps its order and its pages among keys of one instant", async () => {
    const team = await busyTeam();
    await bindings.DB.prepare(
      `INSERT INTO api_keys (id, team_id, name, key_prefix, secret_hash, permissions, created_at)
       SELECT 'key_' || value, ?1, 'same', 'ps_', ?1 || value, 'full', 1 FROM json_each(?2)`,
    )
      .bind(team.id, JSON.stringify(Array.from({ length: 45 }, (_, index) => 100 + index)))
      .run();
    const seen: string[] = [];
    for (let after: string | null = ""; after !== null;) {
      const list: List = await (
        await call("GET", `/v1/api-keys${after && `?after=${after}`}`, { key: team.key })
      ).json();
      seen.push(...list.data.map(({ id }) => id));
      after = list.next_cursor;
    }
    expect(seen).toEqual([
      team.keyId,
      ...Array.from({ length: 45 }, (_, index) => `key_${144 - index}`),
    ]);
  });
});

describe("one key", () => {
  const NOBODYS = [
    "key_00000000-0000-4000-8000-000000000000",
    "key_nonsense",
    "%00",
    "x".repeat(2_000),
    "a%2Fb",
    "%zz",
  ];

  it("is 404 under an id that nobody has, whatever its form", async () => {
    const team = await busyTeam();
    for (const id of NOBODYS) {
      await errorsOf(await call("GET", `/v1/api-keys/${id}`, { key: team.key }), 404);
      await errorsOf(await patch(team, id, SENDING), 404);
      await errorsOf(await call("DELETE", `/v1/api-keys/${id}`, { key: team.key }), 404);
    }
  });

  it("is 404 to another team, and stays as it is", async () => {
    const [owner, other] = [await busyTeam(), await busyTeam()];
    const made = await create(owner);
    await errorsOf(await call("GET", `/v1/api-keys/${made.id}`, { key: other.key }), 404);
    await errorsOf(await patch(other, made.id, { name: "taken", permissions: "full" }), 404);
    await errorsOf(await call("DELETE", `/v1/api-keys/${made.id}`, { key: other.key }), 404);
    expect(
      await (await call("GET", `/v1/api-keys/${made.id}`, { key: owner.key })).json(),
    ).toMatchObject({
      name: "sender",
      permissions: "send_only",
    });
    const { data }: List = await (await call("GET", "/v1/api-keys", { key: other.key })).json();
    expect(data.map(({ id }) => id)).toEqual([other.keyId]);
  });

  it("shows when it was used", async () => {
    const team = await busyTeam();
    const made = await create(team);
    expect(await statusOf(made.key)).toBe(200);
    const usedAt = async () =>
      (await (await call("GET", `/v1/api-keys/${made.id}`, { key: team.key })).json<Key>())
        .last_used_at;
    await expect.poll(usedAt).toMatch(/^\d{4}-\d\d-\d\dT/);
  });
});

describe("changing a key", () => {
  it("replaces name, permissions and restrictions, keeps the secret, and lifts what is left out", async () => {
    const team = await busyTeam();
    const made = await create(team, {
      ...SENDING,
      allowed_domains: ["a.test"],
      allowed_ips: ["198.51.100.40"],
    });
    const { key, ...before } = made;
    const renamed = await patch(team, made.id, {
      name: "both",
      permissions: "full",
      allowed_domains: ["B.test"],
      allowed_ips: ["198.51.100.0/24"],
      key: "x",
    });
    expect(renamed.status).toBe(200);
    expect(await renamed.json()).toEqual({
      ...before,
      name: "both",
      permissions: "full",
      allowed_domains: ["b.test"],
      allowed_ips: ["198.51.100.0/24"],
    });
    expect(await statusOf(key, "/v1/api-keys")).toBe(200);
    expect(
      await (await patch(team, made.id, { ...SENDING, allowed_domains: [] })).json(),
    ).toMatchObject({
      allowed_domains: null,
      allowed_ips: null,
    });
    await patch(team, made.id, {
      ...SENDING,
      allowed_domains: ["a.test"],
      allowed_ips: ["198.51.100.40"],
    });
    expect(
      await (await patch(team, made.id, { ...SENDING, allowed_ips: null })).json(),
    ).toMatchObject({
      allowed_domains: null,
      allowed_ips: null,
    });
  });

  it("takes effect on the next request, permissions and addresses alike", async () => {
    const team = await busyTeam();
    const made = await create(team, { name: "full", permissions: "full" });
    expect(await statusOf(made.key, "/v1/api-keys")).toBe(200);
    await patch(team, made.id, SENDING);
    expect(await statusOf(made.key, "/v1/api-keys")).toBe(403);
    await patch(team, made.id, { ...SENDING, allowed_ips: ["203.0.113.0/24"] });
    expect(await statusOf(made.key)).toBe(403);
    expect(await statusOf(made.key, "/v1/whoami", "203.0.113.77")).toBe(200);
    await patch(team, made.id, SENDING);
    expect(await statusOf(made.key)).toBe(200);
  });

  it("limits the domains of the next send", async () => {
    const team = await busyTeam();
    const made = await create(team);
    const send = async () =>
      errorsOf(
        await call("POST", "/v1/email", {
          key: made.key,
          body: { from: "me@other.test", to: ["you@example.org"], subject: "s", text: "t" },
        }),
        422,
      );
    expect((await send()).from?.[0]).toContain("verified");
    await patch(team, made.id, { ...SENDING, allowed_domains: ["allowed.test"] });
    expect((await send()).from?.[0]).toContain("limited to other domains");
  });
});

describe("deleting a key", () => {
  it("stops it at once, though this isolate knew it", async () => {
    const team = await busyTeam();
    const made = await create(team);
    expect(await statusOf(made.key)).toBe(200);
    const response = await call("DELETE", `/v1/api-keys/${made.id}`, { key: team.key });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe("");
    expect(await statusOf(made.key, "/v1/whoami", "203.0.113.210")).toBe(401);
    await errorsOf(await call("DELETE", `/v1/api-keys/${made.id}`, { key: team.key }), 404);
    await errorsOf(await patch(team, made.id, SENDING), 404);
    await errorsOf(await call("GET", `/v1/api-keys/${made.id}`, { key: team.key }), 404);
  });

  it("lets a team's last full key delete itself", async () => {
    const team = await busyTeam();
    expect((await call("DELETE", `/v1/api-keys/${team.keyId}`, { key: team.key })).status).toBe(
      204,
    );
    expect(await statusOf(team.key, "/v1/api-keys", "203.0.113.211")).toBe(401);
  });

  it("succeeds once when asked for many times at once, and no change brings the key back", async () => {
    const team = await busyTeam();
    const made = await create(team);
    const deletions = Array.from({ length: 5 }, () =>
      call("DELETE", `/v1/api-keys/${made.id}`, { key: team.key }),
    );
    const changes = Array.from({ length: 5 }, () =>
      patch(team, made.id, { name: "full", permissions: "full" }),
    );
    const statuses = (await Promise.all(deletions)).map(({ status }) => status);
    expect(statuses.toSorted((left, right) => left - right)).toEqual([204, 404, 404, 404, 404]);
    for (const { status } of await Promise.all(changes)) expect([200, 404]).toContain(status);
    await errorsOf(await call("GET", `/v1/api-keys/${made.id}`, { key: team.key }), 404);
    expect(await statusOf(made.key, "/v1/whoami", "203.0.113.212")).toBe(401);
  });
});
