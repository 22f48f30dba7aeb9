// Tests POST /v1/api-keys through the worker's fetch handler: the new key, and the bodies that are
// refused (src/resources/api-keys, contract.md §API keys).
import { describe, expect, it } from "vitest";
import { busyTeam, call, errorsOf, fieldsOf, ok, statement } from "../../support/api.ts";
import { type Key, SENDING, post, patch, create } from "./api-key-calls.ts";
import { ofEachTest } from "../../support/before-tests.ts";

const team = ofEachTest(busyTeam);

describe("creating a key", () => {
  it("shows the secret once, in the create response, and stores only its hash", async () => {
    const response = await post(team, {
      ...SENDING,
      allowed_domains: ["example.test"],
      allowed_ips: ["192.0.2.0/24"],
      extra: 1,
    });
    expect(response.status).toBe(201);
    const text = await response.text();
    const made = JSON.parse(text) as Key;
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
    const shown = await ok(team.get(`/v1/api-keys/${made.id}`));
    const { key: secret, ...rest } = made;
    expect(shown).toEqual(rest);
    const stored = await statement("SELECT * FROM api_keys WHERE id = ?", made.id).first();
    expect(JSON.stringify(stored)).not.toContain(secret.slice(12));
  });

  it("takes undefined, null and an empty list as no restriction", async () => {
    for (const none of [undefined, null, []])
      expect(
        await create(team, { ...SENDING, allowed_domains: none, allowed_ips: none }),
      ).toMatchObject({ allowed_domains: null, allowed_ips: null });
  });

  it("keeps each domain once, as DNS spells it, even if the team does not have the domain", async () => {
    const allowed_domains = [
      ..." Example.TEST |example.test.|bücher.example|xn--bcher-kva.example".split("|"),
      "mail.example.co.uk",
    ];
    const made = await create(await busyTeam(), { ...SENDING, allowed_domains });
    const expected = ["example.test", "xn--bcher-kva.example", "mail.example.co.uk"];
    expect(made.allowed_domains).toEqual(expected);
  });

  it("keeps addresses and blocks as they were written, once each", async () => {
    const allowed_ips = [
      ..."192.0.2.7| 192.0.2.7 |192.0.2.9/24|2001:DB8::1|2001:db8::/32".split("|"),
      ..."::ffff:192.0.2.0/120|0.0.0.0/0".split("|"),
    ];
    const made = await create(await busyTeam(), { ...SENDING, allowed_ips });
    expect(made.allowed_ips).toEqual(
      "192.0.2.7 192.0.2.9/24 2001:DB8::1 2001:db8::/32 ::ffff:192.0.2.0/120 0.0.0.0/0".split(" "),
    );
  });

  it("answers 422 with exactly the fields at fault, as a change does", async () => {
    for (const [body, paths] of [
      [{}, ["name", "permissions"]],
      [{ ...SENDING, name: "" }, ["name"]],
      [{ ...SENDING, permissions: "admin" }, ["permissions"]],
      [{ ...SENDING, permissions: null }, ["permissions"]],
      [{ ...SENDING, allowed_domains: "example.test" }, ["allowed_domains"]],
      [{ ...SENDING, allowed_domains: {} }, ["allowed_domains"]],
      [
        {
          ...SENDING,
          allowed_domains: [
            ..."ok.test|a b.test|*.ok.test|ok|192.0.2.1|a@b.test".split("|"),
            7,
            "",
          ],
        },
        [1, 2, 3, 4, 5, 6, 7].map((index) => `allowed_domains.${index}`),
      ],
      [{ ...SENDING, allowed_domains: ["\ud800.test"] }, ["allowed_domains.0"]],
      [
        {
          ...SENDING,
          allowed_domains: Array.from({ length: 101 }, (_, index) => `d${index}.test`),
        },
        ["allowed_domains"],
      ],
      [
        {
          ...SENDING,
          allowed_ips: [
            ..."192.0.2.1 192.0.2.256 192.0.2.0/33 2001:db8::/129 localhost".split(" "),
            ..."fe80::1%eth0 192.0.2.01".split(" "),
            "",
            null,
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
    ] as [object, string[]][]) {
      for (const response of [await post(team, body), await patch(team, team.keyId, body)])
        expect([body, (await fieldsOf(response)).toSorted()]).toEqual([body, paths.toSorted()]);
    }
  });

  it("answers a list of a million entries with one error", async () => {
    const raw = `{"name":"x","permissions":"full","allowed_ips":[${"1,".repeat(1_000_000)}1]}`;
    const { key } = await busyTeam();
    const response = await call("POST", "/v1/api-keys", { key, raw });
    expect(await errorsOf(response)).toEqual({ allowed_ips: ["must be at most 100 entries"] });
  });
});
