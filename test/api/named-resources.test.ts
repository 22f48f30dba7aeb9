// Tests the rules that all resources with a name share (contract.md §Lists): which names they take,
// the order of their lists, and their deletion.
import { describe, expect, it } from "vitest";
import { coreWith } from "../../src/db/core-shards.ts";
import { ADMIN_TOKEN, bindings, busyTeam, call } from "../support/api.ts";
import { everyPage, fieldsOf, ok } from "../support/api.ts";
import { ofFile } from "../support/before-tests.ts";

const team = ofFile(busyTeam);

const WEBHOOK = { url: "https://hooks.example.com/", events: ["email.sent"] };

describe.each([
  ["/v1/api-keys", { permissions: "full" }],
  ["/v1/templates", {}],
  ["/v1/webhooks", WEBHOOK],
  ["/admin/teams", {}],
])("a name at POST %s", (path, rest) => {
  const isForOperators = path.startsWith("/admin");
  const key = () => (isForOperators ? ADMIN_TOKEN : team.key);
  const post = (name: unknown) => call("POST", path, { key: key(), body: { ...rest, name } });

  it.each<[string, unknown]>([
    ["absent", undefined],
    ["null", null],
    ["a number", 7],
    ["a list", ["x"]],
    ["empty", ""],
    ["white space", " \u3000\t"],
    ["201 characters", "x".repeat(201)],
    ["201 characters of two units each", "🙂".repeat(201)],
    ["four million characters", "x".repeat(4_000_000)],
    ["a NUL", "a\u0000b"],
    ["line breaks", "a\r\nb"],
    ["a control character", "a\u0085b"],
    ["half a surrogate pair", "\ud800"],
    ["two halves in the wrong order", "\udc00\ud800"],
  ])("is refused if it is or has: %s", async (_, name) => {
    expect(await fieldsOf(post(name))).toEqual(["name"]);
  });

  it.each([
    "Ünïcödé 👩‍👩‍👧 مرحبا \u202eright to left",
    "e\u0301 z\u200dwj \ufeff|",
    "'; DROP TABLE api_keys; -- NULL",
    "<script>{{name}} %s%n %00 \\u0000",
    `200 ${"x".repeat(196)}`,
    // The service trims a team's name, and counts the name's length in UTF-16 units.
    ...(isForOperators ? [] : [" padded ", `200 ${"🙂".repeat(196)}`]),
  ])("is kept as it is: %j", async (name) => {
    const made = await ok<{ id: string; name: string }>(post(name), 201);
    const shown = await call("GET", `${path}/${made.id}`, { key: key() });
    expect([made.name, await ok(shown)]).toMatchObject([name, { name }]);
  });
});

it.each([
  ["api-keys", { name: "x", permissions: "full" }, ({ id }: { id: string }) => id],
  ["templates", { name: "gone" }, ({ id }: { id: string }) => id],
  ["webhooks", { name: "x", ...WEBHOOK }, ({ id }: { id: string }) => id],
  ["suppressions", { email: "ann@example.org" }, () => "ann@example.org"],
])(
  "one of %s is deleted by exactly one of many requests, and can be made again",
  async (noun, body, nameOf) => {
    const made = await ok<{ id: string }>(team.post(`/v1/${noun}`, body), 201);
    const path = `/v1/${noun}/${nameOf(made)}`;
    const deletions = await Promise.all(Array.from({ length: 5 }, () => team.delete(path)));
    const statuses = deletions.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([204, 404, 404, 404, 404]);
    expect(await deletions.find(({ status }) => status === 204)?.text()).toBe("");
    expect((await team.get(path)).status).toBe(404);
    expect((await ok<{ id: string }>(team.post(`/v1/${noun}`, body), 201)).id).not.toBe(made.id);
  },
);

describe("a list", () => {
  it.each([
    ["api-keys", "api_keys", "key_prefix, secret_hash, permissions", "'x', ?1 || value, 'full'"],
    ["templates", "templates", "kind, updated_at", "'html', 0"],
    [
      "webhooks",
      "webhooks",
      "url, events, status, secret_prefix, secret_encrypted",
      `'https://hooks.example.com/', '["email.sent"]', 'active', 'whsec_', 'x'`,
    ],
    [
      "domains",
      "domains",
      "status, target_label, published_record_ids, tracking_status",
      "'pending', ?1 || value, '[]', 'disabled'",
    ],
  ])(
    "of %s goes from the newest to the oldest without gaps or repeats, though many were made at one moment and another is added meanwhile",
    async (noun, table, columns, values) => {
      const { id, key, keyId } = await busyTeam();
      const insert = (numbers: readonly number[]) =>
        coreWith(bindings, id)
          .prepare(
            `INSERT INTO ${table} (id, team_id, name, created_at, ${columns})
             SELECT ?1 || value, ?1, value || '.example', value / 10, ${values} FROM json_each(?2)`,
          )
          .bind(id, JSON.stringify(numbers))
          .run();
      const numbers = Array.from({ length: 45 }, (_, index) => 144 - index);
      await insert(numbers);
      let late = [200];
      const seen = await everyPage<{ id: string }>(`/v1/${noun}?limit=7`, key, async () => {
        if (late.length > 0) await insert(late);
        late = [];
      });
      const others = seen.map((one) => one.id).filter((one) => one !== keyId);
      expect(others).toEqual(numbers.map((number) => `${id}${number}`));
    },
  );
});
