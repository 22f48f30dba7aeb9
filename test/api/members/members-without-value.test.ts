// Tests what clients write for a member that has no value: null, and PHP's `[]` for an empty map
// (contract.md §Members without a value).
import { describe, expect, it } from "vitest";
import { ofFile } from "../../support/before-tests.ts";
import { ok } from "../../support/api.ts";
import { TestSender } from "../../support/test-sender.ts";

const team = ofFile(TestSender.make);

const MAPS = ["headers", "variables", "metadata", "tracking", "unsubscribe"];
const OPTIONAL = (
  "cc bcc reply_to html template_id headers attachments tags tracking variables campaign ip_pool " +
  "topic unsubscribe scheduled_at metadata priority"
).split(" ");
const all = (names: readonly string[], value: unknown) =>
  Object.fromEntries(names.map((name) => [name, value]));

async function errorsOf(path: string, body: object): Promise<unknown> {
  const response = await team.post(path, body);
  const { error } = await response.json<{ error?: { errors: object } }>();
  return [response.status, Object.keys(error?.errors ?? {})];
}

describe.each([
  ["null", OPTIONAL, null],
  ["an empty list", MAPS, []],
])("%s for optional members", (_, names, value) => {
  it.each<[string, string, (members: object) => object, number]>([
    ["a send", "/v1/email", (members) => team.mail(members), 202],
    ["a batch", "/v1/email/batch", (members) => ({ emails: [team.mail(members)] }), 202],
    [
      "the defaults of a batch",
      "/v1/email/batch",
      (defaults) => ({ emails: [team.mail()], defaults }),
      202,
    ],
    ["a send to Resend's API", "/emails", (members) => team.mail(members), 200],
    ["a batch to Resend's API", "/emails/batch", (members) => [team.mail(members)] as object, 200],
  ])("of %s counts as not given", async (_name, path, bodyOf, status) => {
    expect(await errorsOf(path, bodyOf(all(names, value)))).toEqual([status, []]);
  });

  it("of a send counts as not given also if each is alone", async () => {
    for (const name of names)
      expect([name, await errorsOf("/v1/email", team.mail({ [name]: value }))]).toEqual([
        name,
        [202, []],
      ]);
  });

  it("in an entry of a batch takes the batch's defaults", async () => {
    const defaults = { topic: "news", unsubscribe: { mode: "generate" }, headers: { "X-A": "1" } };
    const emails = [team.mail(all(names, value))];
    expect(await errorsOf("/v1/email/batch", { emails, defaults })).toEqual([202, []]);
  });
});

it("null and an empty list for defaults, and null for a batch's validation, count as not given", async () => {
  for (const more of [{ defaults: null }, { defaults: [] }, { validation: null }])
    expect(await errorsOf("/v1/email/batch", { emails: [team.mail()], ...more })).toEqual([
      202,
      [],
    ]);
});

it("null in objects with fixed names, in headers and in metadata counts as not given", async () => {
  const { id } = await team.sent({
    tracking: { opens: null, clicks: true },
    topic: "news",
    unsubscribe: { mode: "none", display_name: null },
    attachments: [{ filename: "a.txt", content: "YQ==", content_type: null, content_id: null }],
    headers: { "X-A": null },
    metadata: { a: null, b: "2" },
    variables: { a: null },
  });
  expect(await ok(team.get(`/v1/email/${id}`))).toMatchObject({ metadata: { b: "2" } });
});

it("null for an optional member of a webhook counts as not given, at both APIs", async () => {
  const own = { name: "x", url: "https://hooks.example/", events: ["email.sent"], format: null };
  expect(await errorsOf("/v1/webhooks", own)).toEqual([201, []]);
  const theirs = { endpoint: "https://hooks.example/", events: ["email.sent"], status: null };
  expect(await errorsOf("/webhooks", theirs)).toEqual([201, []]);
});

it("an empty list stands for empty fallbacks of a template and empty variables of a preview", async () => {
  expect(await errorsOf("/v1/templates", { name: "x", html: "<p>x</p>", fallbacks: [] })).toEqual([
    201,
    [],
  ]);
  const preview = { html: "<p>x</p>", variables: [], fallbacks: [] };
  expect(await errorsOf("/v1/templates/preview", preview)).toEqual([200, []]);
});
