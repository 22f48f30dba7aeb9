// Tests messages with Resend's official client (docs/from-resend.md §Sending, §Emails).
import { expect, it } from "vitest";
import type { CreateEmailOptions, Resend } from "resend";
import { call, errorsOf } from "../../support/api.ts";
import { resendClient } from "./resend-client.ts";
import { ofEachTest } from "../../support/before-tests.ts";
import { TestSender } from "../../support/test-sender.ts";

const team = ofEachTest(TestSender.make);
const resend = ofEachTest(() => resendClient(team.key));

const TO = "delivered@simulator.postern.test";

const message = (more: object = {}): CreateEmailOptions => ({
  from: `Acme <${team.from}>`,
  to: TO,
  subject: "Hi",
  html: "<p>Hi</p>",
  ...more,
});

async function idOf(sent: ReturnType<Resend["emails"]["send"]>): Promise<string> {
  const { data, error } = await sent;
  expect(error).toBeNull();
  return data?.id ?? "";
}

it("a send has all its members, and is shown by Resend's bare id and by the service's id", async () => {
  const id = await idOf(
    resend.emails.send(
      message({
        to: [TO],
        cc: "cc@simulator.postern.test",
        bcc: ["bcc@simulator.postern.test"],
        replyTo: "reply@example.com",
        tags: [{ name: "order", value: "12" }],
        topicId: "news",
        attachments: [{ filename: "a.txt", content: Buffer.from("bytes") }],
      }),
    ),
  );
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  const shown = {
    object: "email",
    id,
    from: `Acme <${team.from}>`,
    to: [TO],
    cc: ["cc@simulator.postern.test"],
    bcc: ["bcc@simulator.postern.test"],
    subject: "Hi",
    html: null,
    tags: [{ name: "order", value: "12" }],
    topic_id: "news",
    scheduled_at: null,
  };
  await expect.poll(() => resend.emails.get(id)).toMatchObject({ data: shown });
  expect(await resend.emails.get(`email_${id}`)).toMatchObject({ data: shown });
});

it("a key of 256 characters replays a send with a time in words, and refuses another send", async () => {
  const idempotencyKey = "k".repeat(256);
  const send = message({ scheduledAt: "in 1 hour" });
  const id = await idOf(resend.emails.send(send, { idempotencyKey }));
  expect(await resend.emails.send(send, { idempotencyKey })).toMatchObject({ data: { id } });
  expect(await resend.emails.send(message(), { idempotencyKey })).toMatchObject({
    error: { statusCode: 409, name: "invalid_idempotent_request" },
  });
});

it("a message with a time in words waits, moves, and is canceled", async () => {
  const id = await idOf(resend.emails.send(message({ scheduledAt: "in 1 hour" })));
  expect(await resend.emails.get(id)).toMatchObject({ data: { last_event: "scheduled" } });
  expect(await resend.emails.update({ id, scheduledAt: "in 2 hours" })).toMatchObject({
    data: { object: "email", id },
  });
  expect(await resend.emails.cancel(id)).toMatchObject({ data: { object: "email", id } });
  expect(await resend.emails.get(id)).toMatchObject({ data: { last_event: "canceled" } });
  expect(await resend.emails.cancel(await idOf(resend.emails.send(message())))).toMatchObject({
    error: { statusCode: 422, name: "validation_error" },
  });
});

it("messages are listed newest first, and paged by ids in both directions", async () => {
  const ids: string[] = [];
  for (const more of [{}, { scheduledAt: "in 1 hour" }, {}, {}])
    ids.unshift(await idOf(resend.emails.send(message(more))));
  const page = async (options: object) => {
    const { data } = await resend.emails.list(options);
    return [data?.data.map(({ id }) => ids.indexOf(id)), data?.has_more];
  };
  await expect.poll(() => page({})).toEqual([[0, 1, 2, 3], false]);
  expect(await page({ limit: 2, after: ids[0] })).toEqual([[1, 2], true]);
  expect(await page({ limit: 1, before: ids[2] })).toEqual([[1], true]);
  expect(await resend.emails.list({ after: "x" })).toMatchObject({ error: { statusCode: 422 } });
  const { data } = await resend.emails.list({ limit: 1, after: ids[1]! });
  expect(data?.data).toMatchObject([
    { id: ids[2], to: [TO], last_event: "scheduled", scheduled_at: expect.any(String) },
  ]);
});

it("a permissive batch sends its valid messages, and names the others by their index", async () => {
  const batch = [message(), message({ tags: "no" }), message()] as never;
  const { data } = await resend.batch.send(batch, { batchValidation: "permissive" });
  expect(data?.data.map(({ id }) => id.length)).toEqual([36, 36]);
  expect(data?.errors).toEqual([{ index: 1, message: expect.stringMatching(/^`tags` /) }]);
  const all = await resend.batch.send([message()], { batchValidation: "permissive" });
  expect(all.data?.errors).toEqual([]);
  expect(await resend.batch.send(batch)).toMatchObject({
    error: { statusCode: 422, message: expect.stringMatching(/`1\.tags` /) },
  });
});

it("a batch without a message that can be sent is refused, and a permissive batch names each error", async () => {
  const batch = [message({ from: "a@b.example" }), message({ from: "a@c.example" })] as never;
  expect(await resend.batch.send(batch)).toMatchObject({
    error: {
      statusCode: 403,
      name: "validation_error",
      message: expect.stringMatching(/^`0\.from` must be .*b\.example.* `1\.from` /),
    },
  });
  expect(await resend.batch.send(batch, { batchValidation: "permissive" })).toMatchObject({
    data: {
      data: [],
      errors: [0, 1].map((index) => ({ index, message: expect.stringMatching(/^`from` must /) })),
    },
  });
});

it.each([
  ["an unknown key", () => resendClient("ps_no").emails.get("x"), 403, "invalid_api_key"],
  ["an unknown id", () => resend.emails.get("x"), 404, "not_found"],
  [
    "a foreign domain",
    () => resend.emails.send(message({ from: "a@b.example" })),
    403,
    "validation_error",
  ],
  [
    "tags of another shape",
    () => resend.emails.send(message({ tags: "no" })),
    422,
    "validation_error",
  ],
  ["a part of Resend that Postern lacks", () => resend.contacts.get({ id: "x" }), 404, "not_found"],
  ["an unknown path below a known one", () => resend.emails.share("x"), 404, "not_found"],
  ["an unknown method", () => resend.put("/emails/x", {}), 405, "method_not_allowed"],
  ["a path that Resend lacks too", () => resend.get("/emails/x/y/z"), 404, "not_found"],
])("%s gets the error that Resend gives", async (_, ask, statusCode, name) => {
  expect(await ask()).toMatchObject({ data: null, error: { statusCode, name } });
});

it("a request without a key, a body that is not JSON and a body that is too large get Resend's errors", async () => {
  const without = await call("POST", "/emails", { body: {} });
  expect(await without.json()).toMatchObject({ name: "missing_api_key" });
  const broken = await call("POST", "/emails", { key: team.key, raw: "{" });
  expect([broken.status, await broken.json()]).toMatchObject([400, { name: "validation_error" }]);
  const large = await call("POST", "/emails", { key: team.key, raw: "x".repeat(6_000_000) });
  expect([large.status, await large.json()]).toMatchObject([413, { name: "validation_error" }]);
});

it("a header with two values is accepted at Resend's path, and refused at the service's own path", async () => {
  const headers = { "X-Two": ["1", 2], "X-Order": 7 };
  expect(await idOf(resend.emails.send(message({ headers })))).toHaveLength(36);
  const own = team.post("/v1/email", {
    from: `Acme <${team.from}>`,
    to: [TO],
    subject: "Hi",
    text: "Hi",
    headers,
  });
  expect(await errorsOf(own)).toMatchObject({ "headers.X-Two": ["must be a string"] });
});

it.each([
  ["GET", "/broadcasts"],
  ["POST", "/emails/x/share"],
  ["POST", "/contacts"],
  ["PUT", "/emails"],
])(
  "an error at %s %s has the type of JSON, which several client libraries need",
  async (method, path) => {
    const response = await call(method, path, { key: team.key });
    expect(response.headers.get("Content-Type")).toMatch(/^application\/json/);
    expect(await response.json()).toMatchObject({
      name: expect.any(String),
      message: expect.any(String),
    });
  },
);
