// Tests POST /v1/webhooks through the worker's fetch handler: the answer for a new webhook, which
// URLs it may have, and how many webhooks a team may have (src/resources/webhooks, contract.md
// §Webhooks).
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { coreFor } from "../../../src/db/client.ts";
import { getWebhook } from "../../../src/resources/webhooks/store.ts";
import { activeSecrets } from "../../../src/resources/webhooks/webhook-secret.ts";
import { bindings, busyTeam, errorsOf, fieldsOf, statement } from "../../support/api.ts";
import {
  CHANGE,
  create,
  list,
  patch,
  post,
  remove,
  shown,
  WISH,
} from "../../support/test-webhooks.ts";
import { settingsOf } from "../../../src/settings.ts";
import { ofFile } from "../../support/before-tests.ts";

const TYPES = "sent delivered delayed bounced complained suppressed unsubscribed opened clicked"
  .split(" ")
  .map((name) => `email.${name}`);

const team = ofFile(busyTeam);
/** A webhook of the team. Refused changes must leave it as it is. */
let unchanged: string;

beforeAll(async () => {
  ({ id: unchanged } = await create(team));
});

afterAll(async () => {
  expect(await shown(team, unchanged)).toMatchObject(WISH);
});

describe("creating a webhook", () => {
  it("answers an active webhook with its secret, which is shown only once and stored encrypted", async () => {
    const owner = await busyTeam();
    const wish = { ...WISH, status: "disabled", id: "wh_mine", signing_secret: "whsec_mine" };
    const made = await create(owner, wish);
    expect(made).toEqual({
      ...WISH,
      id: expect.stringMatching(
        /^wh_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      status: "active",
      format: "batch",
      signing_secret_prefix: made.signing_secret.slice(0, 12),
      signing_secret_previous_prefix: null,
      signing_secret_grace_expires_at: null,
      last_delivery_at: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const { signing_secret: secret, ...rest } = made;
    expect(await shown(owner, made.id)).toEqual(rest);
    expect(await list(owner)).toEqual({ data: [rest], has_more: false, next_cursor: null });
    const row = await statement("SELECT * FROM webhooks WHERE id = ?", made.id).first();
    expect(JSON.stringify(row)).not.toContain(secret.slice(12, 20));
    const stored = await getWebhook(coreFor(bindings, owner.id), made.id);
    expect(await activeSecrets(settingsOf(bindings).keyEncryptionKey, stored, 0)).toEqual([secret]);
  });

  it("subscribes to each type once, in the order given", async () => {
    const wish = { ...WISH, events: ["email.sent", "email.clicked", "email.sent"] };
    const made = await create(team, wish);
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
        ..."email.Sent email.* *".split(" "),
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
    [{ ...WISH, url: 7 }, ["url"]],
    [{ ...WISH, url: ["https://hooks.example.com/"] }, ["url"]],
    ...BAD_EVENTS.map(([events, paths]) => [{ ...WISH, events }, paths] as [unknown, string[]]),
  ])("answers 422 with exactly the fields at fault (case %$)", async (body, paths) => {
    expect((await fieldsOf(post(team, body))).toSorted()).toEqual(paths.toSorted());
    const change = { status: "active", ...(body as object) };
    expect((await fieldsOf(patch(team, unchanged, change))).toSorted()).toEqual(paths.toSorted());
  });
});

describe("a webhook's URL", () => {
  it.each(
    (
      "https://10.0.0.1/ https://localhost/ http://localhost:3000/ " +
      "https://metadata.google.internal/ https://postern.test/ " +
      "https://track.POSTERN.test./"
    ).split(" "),
  )("is refused, at creation and in a change, for a host that is not public: %s", async (url) => {
    expect(await fieldsOf(post(team, { ...WISH, url }))).toEqual(["url"]);
    expect(await fieldsOf(patch(team, unchanged, { ...CHANGE, url }))).toEqual(["url"]);
  });

  it.each([
    ..."hooks.example.com //hooks.example.com/ /hook https:hooks.example.com/".split(" "),
    ..."https:/hooks.example.com/ https:///hooks.example.com/".split(" "),
    "",
    " ",
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
    expect(await fieldsOf(post(team, { ...WISH, url }))).toEqual(["url"]);
  });

  it("comes back as written, up to 2,048 characters, or in ASCII if it was not a valid URI", async () => {
    const owner = await busyTeam();
    for (const url of [WISH.url, `https://hooks.example.com/${"a".repeat(2_022)}`]) {
      const made = await create(owner, { ...WISH, url });
      expect(made.url).toBe(url);
      expect((await shown(owner, made.id)).url).toBe(url);
    }
    expect((await create(owner, { ...WISH, url: "https://bücher.example/ß" })).url).toBe(
      "https://xn--bcher-kva.example/%C3%9F",
    );
  });
});

describe("the number of webhooks", () => {
  it("is capped at 50 for a team, also for requests that come at once, and a deletion makes room", async () => {
    const [owner, other] = [await busyTeam(), await busyTeam()];
    await Promise.all(Array.from({ length: 45 }, () => create(owner)));
    const responses = await Promise.all(Array.from({ length: 12 }, () => post(owner, WISH)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(5);
    for (const response of responses.filter(({ status }) => status !== 201))
      expect(await errorsOf(response)).toEqual({
        webhooks: ["are 50 already; a team may have no more"],
      });
    const { data } = await list(owner, "limit=100");
    expect(data).toHaveLength(50);
    await create(other);
    expect((await remove(owner, data[0]?.id ?? "")).status).toBe(204);
    await create(owner);
    await errorsOf(post(owner, WISH));
  });
});
