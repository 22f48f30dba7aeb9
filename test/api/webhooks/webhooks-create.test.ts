// POST /v1/webhooks through the worker's own fetch: what a new webhook is, which URLs it may have, and
// how many a team may have (src/resources/webhooks, contract.md §Webhooks).
import { describe, expect, it } from "vitest";
import { openSecret } from "../../../src/resources/webhooks/webhook-secret.ts";
import { bindings, call } from "../../support/api.ts";
import {
  busyTeam,
  CHANGE,
  create,
  errorsOf,
  list,
  MEMBERS,
  patch,
  post,
  remove,
  shown,
  WISH,
} from "../../support/test-webhooks.ts";
import { settingsOf } from "../../../src/settings.ts";
import { HOSTILE_URLS, LOOPBACK_URLS, PUBLIC_URLS } from "../../unit/resources/webhooks/urls.ts";

const TYPES = [
  "sent",
  "delivered",
  "delayed",
  "bounced",
  "complained",
  "suppressed",
  "unsubscribed",
  "opened",
  "clicked",
].map((name) => `email.${name}`);

describe("creating a webhook", () => {
  it("answers it active, with the secret that is shown this once and rests encrypted", async () => {
    const team = await busyTeam();
    const made = await create(team, {
      ...WISH,
      status: "disabled",
      id: "wh_mine",
      signing_secret: "whsec_mine",
    });
    expect(Object.keys(made)).toEqual([...MEMBERS, "signing_secret"]);
    expect(made).toEqual({
      ...WISH,
      id: expect.stringMatching(
        /^wh_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      status: "active",
      signing_secret_prefix: made.signing_secret.slice(0, 12),
      signing_secret_previous_prefix: null,
      signing_secret_grace_expires_at: null,
      last_delivery_at: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const { signing_secret: secret, ...rest } = made;
    expect(await shown(team, made.id)).toEqual(rest);
    expect(await list(team)).toEqual({ data: [rest], has_more: false, next_cursor: null });
    const row = await bindings.DB.prepare("SELECT * FROM webhooks WHERE id = ?")
      .bind(made.id)
      .first<{ secret_encrypted: string }>();
    expect(JSON.stringify(row)).not.toContain(secret.slice(12, 20));
    expect(
      await openSecret(settingsOf(bindings).keyEncryptionKey, made.id, row?.secret_encrypted ?? ""),
    ).toBe(secret);
  });

  it("subscribes to each type once, in the order given", async () => {
    const team = await busyTeam();
    const made = await create(team, {
      ...WISH,
      events: ["email.sent", "email.clicked", "email.sent"],
    });
    expect(made.events).toEqual(["email.sent", "email.clicked"]);
    expect((await create(team, { ...WISH, events: [...TYPES, ...TYPES] })).events).toEqual(TYPES);
    for (const type of TYPES)
      expect((await create(team, { ...WISH, events: [type] })).events).toEqual([type]);
  });

  const BAD_EVENTS: [unknown, string[]][] = [
    [[], ["events"]],
    ["email.sent", ["events"]],
    [null, ["events"]],
    [{ 0: "email.sent" }, ["events"]],
    [["email.sent", "webhook.test"], ["events.1"]],
    [
      [
        "email.Sent",
        "email.*",
        "*",
        "",
        "sent",
        " email.sent",
        null,
        7,
        ["email.sent"],
        {},
        "__proto__",
      ],
      Array.from({ length: 11 }, (_, index) => `events.${index}`),
    ],
    [Array.from({ length: 101 }, () => "email.sent"), ["events"]],
  ];

  it.each([
    [{}, ["name", "url", "events"]],
    [{ name: null, url: null, events: null }, ["name", "url", "events"]],
    [
      { name: "", url: "http://hooks.example.com/", events: ["webhook.test"] },
      ["name", "url", "events.0"],
    ],
    [{ ...WISH, name: "" }, ["name"]],
    [{ ...WISH, name: " \u3000\t" }, ["name"]],
    [{ ...WISH, name: 7 }, ["name"]],
    [{ ...WISH, name: ["x"] }, ["name"]],
    [{ ...WISH, name: "x".repeat(201) }, ["name"]],
    [{ ...WISH, name: "🙂".repeat(201) }, ["name"]],
    [{ ...WISH, name: "x".repeat(4_000_000) }, ["name"]],
    [{ ...WISH, name: "a\u0000b" }, ["name"]],
    [{ ...WISH, name: "a\r\nb" }, ["name"]],
    [{ ...WISH, name: "a\u0085b" }, ["name"]],
    [{ ...WISH, name: "\ud800" }, ["name"]],
    [{ ...WISH, name: "\udc00\ud800" }, ["name"]],
    [{ ...WISH, url: 7 }, ["url"]],
    [{ ...WISH, url: ["https://hooks.example.com/"] }, ["url"]],
    ...BAD_EVENTS.map(([events, paths]) => [{ ...WISH, events }, paths] as [unknown, string[]]),
  ])("answers 422 on its fields and nothing else (case %$)", async (body, paths) => {
    const team = await busyTeam();
    const { id } = await create(team);
    expect(Object.keys(await errorsOf(await post(team, body), 422)).toSorted()).toEqual(
      paths.toSorted(),
    );
    const change = { status: "active", ...(body as object) };
    expect(Object.keys(await errorsOf(await patch(team, id, change), 422)).toSorted()).toEqual(
      paths.toSorted(),
    );
    expect((await list(team)).data).toEqual([expect.objectContaining(WISH)]);
  });

  it("answers a list of a million event types with one error", async () => {
    const { key } = await busyTeam();
    const raw = `{"name":"x","url":"https://hooks.example.com/","events":[${"1,".repeat(1_000_000)}1]}`;
    expect(await errorsOf(await call("POST", "/v1/webhooks", { key, raw }), 422)).toEqual({
      events: ["must be at most 100 entries"],
    });
  });

  it.each([
    "x".repeat(200),
    "🙂".repeat(200),
    " spaced ",
    "עברית \u202eright to left",
    "e\u0301 z\u200dwj \ufeff\ufffd",
    "'; DROP TABLE webhooks; --",
    '"<script>alert(1)</script>"',
    "{{name}} %00 \\u0000 ${x} \u2028",
    "__proto__",
    "null",
  ])("gives the name %j back as it was", async (name) => {
    const team = await busyTeam();
    const made = await create(team, { ...WISH, name });
    expect(made.name).toBe(name);
    expect((await shown(team, made.id)).name).toBe(name);
    expect(
      await (await patch(team, made.id, { ...CHANGE, name: `${name.slice(0, 100)}!` })).json(),
    ).toMatchObject({
      name: `${name.slice(0, 100)}!`,
    });
  });

  it("refuses a body that is not a JSON object", async () => {
    const { key } = await busyTeam();
    for (const raw of ["[]", "null", "", "{", '"x"'])
      expect(await errorsOf(await call("POST", "/v1/webhooks", { key, raw }), 400)).toHaveProperty(
        "body",
      );
    expect(
      (
        await call("POST", "/v1/webhooks", {
          key,
          raw: "{}",
          headers: { "Content-Type": "text/plain" },
        })
      ).status,
    ).toBe(415);
  });

  it("refuses more than 5 MB", async () => {
    const { key } = await busyTeam();
    expect(
      (
        await call("POST", "/v1/webhooks", {
          key,
          body: { ...WISH, name: "x".repeat(5 * 1024 * 1024) },
        })
      ).status,
    ).toBe(413);
  });
});

describe("a webhook's URL", () => {
  it("is refused, at creation and in a change, for a host that is not public, in whatever spelling", async () => {
    const team = await busyTeam();
    const { id } = await create(team);
    const own = [
      "https://postern.test/",
      "https://api.postern.test/v1/webhooks",
      "https://track.POSTERN.test./",
    ];
    const http = LOOPBACK_URLS.map((url) => url.replace("https:", "http:"));
    for (const url of [...HOSTILE_URLS, ...LOOPBACK_URLS, ...http, ...own]) {
      expect([url, Object.keys(await errorsOf(await post(team, { ...WISH, url }), 422))]).toEqual([
        url,
        ["url"],
      ]);
      expect(Object.keys(await errorsOf(await patch(team, id, { ...CHANGE, url }), 422))).toEqual([
        "url",
      ]);
    }
    expect((await list(team)).data).toEqual([expect.objectContaining(WISH)]);
  });

  it.each([
    "",
    " ",
    "hooks.example.com",
    "//hooks.example.com/",
    "/hook",
    "https:hooks.example.com/",
    "https:/hooks.example.com/",
    "https:///hooks.example.com/",
    "https:\\\\hooks.example.com\\",
    "https://hooks.example.com\\@127.0.0.1/",
    " https://hooks.example.com/",
    "https://hooks.example.com/ ",
    "https://hooks.example.com/a b",
    "https://hooks.example.com/\n",
    "ht\ntps://hooks.example.com/",
    "https://hooks.exa\tmple.com/",
    "https://hooks.example.com/\u0000",
    "https://hooks.example.com/\u3000",
    "https://hooks.example.com/\ud800",
    "https://hooks.example.com/#fragment",
    `https://hooks.example.com/${"a".repeat(2_023)}`,
    `https://hooks.example.com/${"ü".repeat(400)}`,
    `https://hooks.example.com/${"a".repeat(4_000_000)}`,
    `https://${"xn--".repeat(500)}.example.com/`,
    `https://${"a.".repeat(1_000)}/`,
  ])("is refused for how it is written (case %$)", async (url) => {
    expect(
      Object.keys(await errorsOf(await post(await busyTeam(), { ...WISH, url }), 422)),
    ).toEqual(["url"]);
  });

  it("comes back as it was written, up to 2,048 characters, or in ASCII where it was not a URI", async () => {
    const team = await busyTeam();
    const ascii = PUBLIC_URLS.filter((url) => /^[ -~]*$/.test(url));
    for (const url of [...ascii, `https://hooks.example.com/${"a".repeat(2_022)}`]) {
      const made = await create(team, { ...WISH, url });
      expect(made.url).toBe(url);
      expect((await shown(team, made.id)).url).toBe(url);
    }
    expect((await create(team, { ...WISH, url: "https://bücher.example/ß" })).url).toBe(
      "https://xn--bcher-kva.example/%C3%9F",
    );
  });
});

describe("the number of webhooks", () => {
  it("is capped at 50 a team, however many are asked for at once, and a deletion makes room", async () => {
    const [team, other] = [await busyTeam(), await busyTeam()];
    for (let index = 0; index < 45; index += 1) await create(team);
    const responses = await Promise.all(Array.from({ length: 12 }, () => post(team, WISH)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(5);
    for (const response of responses.filter(({ status }) => status !== 201))
      expect(await errorsOf(response, 422)).toEqual({
        webhooks: ["are 50 already, which is the most that a team may have"],
      });
    const { data } = await list(team, "limit=100");
    expect(data).toHaveLength(50);
    await create(other);
    expect((await remove(team, data[0]?.id ?? "")).status).toBe(204);
    await create(team);
    await errorsOf(await post(team, WISH), 422);
  });
});
