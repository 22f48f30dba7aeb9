// Tests that the request schemas of the OpenAPI document are not narrower than the server, so that
// a client generated from them may send everything that the server accepts. Each body here is sent,
// accepted, and checked against the document's schema.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ADMIN_TOKEN, call, ok } from "../support/api.ts";
import { operationOf } from "../support/endpoints.ts";
import { openApi, problemsOf } from "../support/openapi-shapes.ts";
import { create } from "../support/test-webhooks.ts";
import { ofFile } from "../support/before-tests.ts";
import { TestSender } from "../support/test-sender.ts";

const document = await openApi();

const team = ofFile(TestSender.make);

beforeEach(() => {
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("no network"));
});

/**
 * Sends a body that the server must accept. Returns the errors that the schema of the OpenAPI
 * document finds in the body.
 */
async function against(
  name: string,
  body: unknown,
  { path, key }: { path?: string; key?: string } = {},
): Promise<string[]> {
  const [method = "", pattern = ""] = name.split(" ");
  const response = await call(method, path ?? pattern, { key: key ?? team.key, body });
  if (!response.ok)
    throw new Error(`${name} is refused: ${response.status} ${await response.text()}`);
  const media = operationOf(document, { method: method as "POST", path: pattern }).requestBody
    ?.content["application/json"];
  if (!media) throw new Error(`${name} has no body`);
  return problemsOf(document, media.schema, body, false);
}

const LIBERAL: [name: string, more: object][] = [
  [
    "sixty tags, of which five are different",
    { tags: Array.from({ length: 60 }, (_, index) => `tag${index % 5}`) },
  ],
  [
    "a subject with more line breaks than it may have characters",
    { subject: `Hello${"\r\n".repeat(1_000)}` },
  ],
  ["a header with space around its value", { headers: { "X-A": `${" ".repeat(9_000)}a` } }],
  [
    "more headers than are kept",
    {
      headers: Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`a b${index}`, "x"])),
    },
  ],
  ["unknown members", { scheduledAt: "tomorrow", meta: { a: 1 } }],
  [
    "an attachment in base64 of the URL alphabet, with line breaks",
    { attachments: [{ filename: "a", content: "_-8\r\n=", extra: 1 }] },
  ],
  ["one reply_to", { reply_to: "Ä <a@example.net>" }],
  ["several reply_to", { reply_to: ["a@example.net", "b@example.net"] }],
  ["no text beside HTML", { text: "", html: "<p>x</p>" }],
  ["a text of 10,000 emoji", { text: "😀".repeat(10_000), variables: {} }],
  ["no metadata", { metadata: {} }],
  ["metadata of the longest value", { metadata: { [`A-z_0${"9".repeat(59)}`]: "😀".repeat(256) } }],
  ["variables of every kind", { variables: { a: null, b: [1, "x", { c: true }] } }],
];

describe("a send with", () => {
  it.each(LIBERAL)("%s is accepted by the server, and by the schema", async (_name, more) => {
    expect(await against("POST /v1/email", team.mail(more))).toEqual([]);
  });
});

describe("a batch with", () => {
  it.each(LIBERAL)(
    "%s in an entry and in the defaults is accepted by the server, and by the schema",
    async (_name, more) => {
      expect(
        await against("POST /v1/email/batch", {
          emails: [team.mail(more), { to: ["b@example.net"] }],
          defaults: team.mail(more),
        }),
      ).toEqual([]);
    },
  );
});

describe("a resource with", () => {
  it.each<[string, string, object]>([
    [
      "an address with space around it",
      "POST /v1/suppressions",
      { email: " Someone@Example.NET " },
    ],
    [
      "an address beyond ASCII",
      "POST /v1/suppressions",
      { email: "jörg@bücher.example", topic: "News", note: null },
    ],
    [
      "a URL beyond ASCII",
      "POST /v1/webhooks",
      {
        name: "x",
        url: "https://hooks.example.com/größe?ä=ö",
        events: ["email.sent", "email.sent"],
      },
    ],
    [
      "a name of 200 characters of two units each",
      "POST /v1/webhooks",
      { name: "😀".repeat(200), url: "https://hooks.example.com/", events: ["email.sent"] },
    ],
    [
      "a restriction that repeats itself",
      "POST /v1/api-keys",
      {
        name: " x ",
        permissions: "full",
        allowed_ips: [" 192.0.2.1 ", "192.0.2.1"],
        allowed_domains: ["BÜCHER.example."],
      },
    ],
    [
      "restrictions that are null",
      "POST /v1/api-keys",
      { name: "😀".repeat(200), permissions: "full", allowed_ips: null, allowed_domains: null },
    ],
    [
      "content that is null",
      "POST /v1/templates",
      { name: "A name", subject: null, html: null, markdown: null },
    ],
    ["members that it does not know", "POST /v1/templates", { name: "Another name", tag: 1 }],
  ])("%s is taken by the server, and by the schema", async (_name, operation, body) => {
    expect(await against(operation, body)).toEqual([]);
  });

  it.each<[string, object]>([
    [
      "dates without a time",
      { start: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10) },
    ],
    [
      "times without seconds, and event types twice",
      {
        start: "2026-01-01T00:00",
        end: "2026-01-02 00:00+02",
        event_types: ["email.sent", "email.sent"],
      },
    ],
  ])("%s is taken by a replay, and by the schema", async (_name, body) => {
    const { id } = await create(team);
    expect(
      await against("POST /v1/webhooks/:id/replay", body, { path: `/v1/webhooks/${id}/replay` }),
    ).toEqual([]);
  });

  it("a tracking subdomain in capitals is taken by the server, and by the schema", async () => {
    const { data } = await ok<{ data: { id: string; name: string }[] }>(team.get("/v1/domains"));
    const { id = "" } = data.find(({ name }) => name === team.domain) ?? {};
    const body = { tracking: { subdomain: "Click.Track", opens_enabled: true } };
    expect(await against("PATCH /v1/domains/:id", body, { path: `/v1/domains/${id}` })).toEqual([]);
  });

  it("space around a team's name, and a pool named twice, is taken by server and schema", async () => {
    const body = { name: ` ${"x".repeat(200)} `, ip_pools: ["a", "a"], limits: {}, courier: null };
    expect(await against("POST /admin/teams", body, { key: ADMIN_TOKEN })).toEqual([]);
  });
});
