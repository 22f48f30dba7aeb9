// Tests templates with Resend's official client (docs/from-resend.md §Templates).
import { expect, it } from "vitest";
import { resendClient } from "./resend-client.ts";
import { ofEachTest } from "../../support/before-tests.ts";
import { TestSender } from "../../support/test-sender.ts";

const team = ofEachTest(TestSender.make);
const resend = ofEachTest(() => resendClient(team.key));

const content = (alias: string) => ({
  name: `Template ${alias}`,
  alias,
  subject: "Hello {{{NAME}}}",
  html: "<p>{{{NAME}}} has {{{COUNT}}} {{{THING}}}</p>",
  from: `Acme <${team.from}>`,
  replyTo: "reply@example.com",
  variables: [
    { key: "NAME", type: "string", fallbackValue: "you" } as const,
    { key: "COUNT", type: "number", fallbackValue: 3 } as const,
    { key: "THING", type: "string" } as const,
  ],
});

it("a template is made, published, sent by its alias, changed, copied and removed", async () => {
  const { data, error } = await resend.templates.create(content("order-1"));
  expect(error).toBeNull();
  const shown = {
    object: "template",
    id: data?.id,
    alias: "order-1",
    subject: "Hello {{{NAME}}}",
    from: `Acme <${team.from}>`,
    reply_to: ["reply@example.com"],
    has_unpublished_versions: true,
    current_version_id: data?.id,
  };
  expect(await resend.templates.get("order-1")).toMatchObject({
    data: {
      ...shown,
      status: "draft",
      published_at: null,
      text: "{{{NAME}}} has {{{COUNT}}} {{{THING}}}",
    },
  });
  const send = { to: "delivered@simulator.postern.test", template: { id: "order-1" } };
  expect(await resend.emails.send(send)).toMatchObject({
    error: { message: expect.stringMatching(/^`template.id` /) },
  });
  expect(await resend.templates.publish(data!.id)).toMatchObject({ data: { id: data?.id } });
  expect(await resend.templates.publish(data!.id)).toMatchObject({ data: { id: data?.id } });
  const template = { id: "order-1", variables: { NAME: "<b>Ada</b>" } };
  const sent = await resend.emails.send({ ...send, template });
  expect(sent.headers).toMatchObject({ "x-missing-variables": "THING" });
  await expect
    .poll(() => resend.emails.get(sent.data?.id ?? ""))
    .toMatchObject({ data: { subject: "Hello <b>Ada</b>", from: `Acme <${team.from}>` } });
  expect(await resend.templates.update("order-1", { subject: "Bye", name: "Other" })).toMatchObject(
    { data: { object: "template", id: data?.id } },
  );
  expect(await resend.templates.get(data!.id)).toMatchObject({
    data: { ...shown, name: "Other", subject: "Bye", status: "published" },
  });
  const { data: copy } = await resend.templates.duplicate("order-1").publish();
  expect(await resend.templates.get(copy!.id)).toMatchObject({
    data: { alias: null, subject: "Bye", status: "published", has_unpublished_versions: false },
  });
  const { data: list } = await resend.templates.list({ limit: 1 });
  expect(list).toMatchObject({ has_more: true, data: [{ id: copy?.id, alias: null }] });
  expect(await resend.templates.list({ after: copy!.id })).toMatchObject({
    data: { data: [{ id: data?.id }] },
  });
  expect(await resend.templates.remove("order-1")).toMatchObject({
    data: { object: "template", id: data?.id, deleted: true },
  });
  expect(await resend.templates.get(data!.id)).toMatchObject({ error: { name: "not_found" } });
});

it("variables have the types of their fallbacks, and variables found only in the content have no fallback", async () => {
  await resend.templates.create(content("order-2"));
  const variables = async () => {
    const { data } = await resend.templates.get("order-2");
    return data?.variables?.map(({ key, type, fallback_value: value }) => [key, type, value]);
  };
  const expected = [
    ["COUNT", "number", 3],
    ["NAME", "string", "you"],
    ["THING", "string", null],
  ];
  expect(await variables()).toEqual(expected);
  await resend.templates.update("order-2", {
    variables: [{ key: "EXTRA", type: "string", fallbackValue: "x" }],
  });
  expect(await variables()).toEqual([
    ["COUNT", "string", null],
    ["NAME", "string", null],
    ["THING", "string", null],
    ["EXTRA", "string", "x"],
  ]);
});

it("a text for a template is named as ignored, and begins no draft", async () => {
  const { headers } = await resend.templates.create({ ...content("order-3"), text: "Hi" });
  expect(headers).toMatchObject({ "x-ignored-members": "text" });
  await resend.templates.publish("order-3");
  expect(await resend.templates.update("order-3", { text: "Hi" })).toMatchObject({
    headers: { "x-ignored-members": "text" },
  });
  const own = await team.get("/v1/templates/order-3");
  expect(await own.json()).toMatchObject({ has_draft: false });
});

it.each([
  [{ html: "<p>" }, "missing_required_field", /^`name` is required/],
  [{ name: "A", html: "{{#if}}" }, "validation_error", /^`html` has an error/],
  [{ name: "A", html: "<p>", alias: "a b" }, "validation_error", /^`alias` must be/],
  [{ name: "A", html: "<p>", variables: [{}] }, "validation_error", /^`variables` must be an/],
  [{ name: "A", html: "<p>", replyTo: "no" }, "validation_error", /^`reply_to` /],
])("a template with %j is refused", async (body, name, message) => {
  expect(await resend.templates.create(body as never)).toMatchObject({
    error: { name, message: expect.stringMatching(message) },
  });
});
