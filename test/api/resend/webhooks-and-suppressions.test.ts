// Tests webhooks and suppressions with Resend's official client (docs/from-resend.md §Webhooks,
// §Suppressions).
import { expect, it } from "vitest";
import { FakeReceiver } from "../../support/fakes/fake-receiver.ts";
import { putSuppression } from "../../support/suppressions.ts";
import { resendClient } from "./resend-client.ts";
import { ofEachTest } from "../../support/before-tests.ts";
import { TestSender } from "../../support/test-sender.ts";

const team = ofEachTest(TestSender.make);
const receiver = ofEachTest(() => new FakeReceiver().install());
const resend = ofEachTest(() => resendClient(team.key));

const endpoint = "https://hooks.example.com/resend?a=1";
const own = async (id: string | undefined) => (await team.get(`/v1/webhooks/wh_${id}`)).json();

async function made(events: string[], more: object = {}) {
  const wish = { endpoint, events: events as never, ...more };
  const { data, error, headers } = await resend.webhooks.create(wish);
  expect(error).toBeNull();
  return { ...data!, headers: headers! };
}

it("a webhook is made in Resend's format, shown, changed, rotated and removed", async () => {
  const { id, signing_secret: secret } = await made(["email.sent", "email.delivery_delayed"]);
  expect(secret).toMatch(/^whsec_/);
  const name = "Resend webhook hooks.example.com";
  expect(await own(id)).toMatchObject({
    name,
    format: "resend",
    events: ["email.sent", "email.delayed"],
    status: "active",
  });
  expect(await resend.webhooks.get(id)).toMatchObject({
    data: {
      object: "webhook",
      id,
      endpoint,
      status: "enabled",
      events: ["email.sent", "email.delivery_delayed"],
      signing_secret: null,
    },
  });
  const change = { endpoint: "https://other.example.com/", status: "disabled" } as const;
  expect(await resend.webhooks.update(id, change)).toMatchObject({
    data: { object: "webhook", id },
  });
  const { data: list } = await resend.webhooks.list({ limit: 1 });
  expect(list?.data).toMatchObject([
    { id, ...change, events: ["email.sent", "email.delivery_delayed"] },
  ]);
  const { data: rotated } = await resend.webhooks.rotateSigningSecret(id);
  expect(rotated).toMatchObject({ object: "webhook", id });
  expect(rotated?.signing_secret).not.toBe(secret);
  expect(await resend.webhooks.rotateSigningSecret(id)).toMatchObject({
    error: { statusCode: 422, name: "validation_error" },
  });
  expect(await resend.webhooks.remove(id)).toMatchObject({ data: { id, deleted: true } });
  expect(await resend.webhooks.get(id)).toMatchObject({ error: { name: "not_found" } });
});

it("unknown event types are named, and the webhook is made with the known types", async () => {
  const { id, headers } = await made(["domain.created", "email.failed", "email.opened", "x y"]);
  expect(headers["x-ignored-members"]).toBe("events.domain.created, events.email.failed, +1");
  expect(await own(id)).toMatchObject({ events: ["email.opened"], status: "active" });
});

it("a webhook without a known event type is disabled until it gets one", async () => {
  const { id, headers } = await made(["contact.created"]);
  expect(headers["x-ignored-members"]).toBe("events.contact.created");
  expect(await resend.webhooks.get(id)).toMatchObject({ data: { status: "disabled", events: [] } });
  await resend.webhooks.update(id, { status: "enabled" });
  expect(await own(id)).toMatchObject({ status: "disabled" });
  await resend.webhooks.update(id, { events: ["email.bounced"] });
  expect(await own(id)).toMatchObject({
    name: "Resend webhook hooks.example.com",
    status: "active",
    events: ["email.bounced"],
  });
  await resend.webhooks.update(id, { events: ["topic.created"] });
  expect(await resend.webhooks.get(id)).toMatchObject({ data: { status: "disabled", events: [] } });
});

it.each([
  [{ events: ["email.sent"] }, "missing_required_field", /^`endpoint` is required/],
  [{ endpoint: "http://x.example", events: ["email.sent"] }, "validation_error", /^`endpoint` /],
  [{ endpoint, events: [] }, "validation_error", /^`events` must name/],
  [{ endpoint, events: [7] }, "validation_error", /^`events.0` /],
  [{ endpoint, events: ["email.sent"], status: "on" }, "validation_error", /^`status` must be/],
])("a webhook with %j is refused", async (body, name, message) => {
  expect(await resend.webhooks.create(body as never)).toMatchObject({
    error: { statusCode: 422, name, message: expect.stringMatching(message) },
  });
});

it("an address is suppressed once, found by its id and address, and released", async () => {
  const email = "Ann@Example.org";
  const { data: added } = await resend.suppressions.add({ email });
  expect(added).toMatchObject({ object: "suppression" });
  expect(await resend.suppressions.add({ email })).toMatchObject({ data: added });
  const shown = { ...added, email: "ann@example.org", origin: "manual", source_id: null };
  for (const key of [email, added!.id, `sup_${added!.id}`])
    expect(await resend.suppressions.get(key)).toMatchObject({ data: shown });
  expect(await resend.suppressions.remove(added!.id)).toMatchObject({
    data: { ...added, deleted: true },
  });
  expect(await resend.suppressions.remove(email)).toMatchObject({ error: { name: "not_found" } });
  expect(await resend.suppressions.add({ email: "no" })).toMatchObject({
    error: {
      statusCode: 422,
      name: "validation_error",
      message: expect.stringMatching(/^`email`/),
    },
  });
});

it("suppressions are filtered by an origin, which covers several reasons, and paged by ids", async () => {
  const reasons = ["permanent_bounce", "unsubscribed", "complaint", "manual", "unsubscribed"];
  const email_id = "email_01a1fb6c-943e-7e35-b378-f74400936f31";
  for (const [index, reason] of reasons.entries())
    await putSuppression(team, {
      email: `a${index}@example.org`,
      reason,
      created_at: 10 + index,
      ...(index === 0 && { email_id, caused_at: 1 }),
    });
  const emails = async (options: object) => {
    const { data } = await resend.suppressions.list(options);
    return [data?.data.map(({ email }) => email.slice(1, 2)).join(""), data?.has_more];
  };
  expect(await emails({})).toEqual(["43210", false]);
  expect(await emails({ origin: "manual" })).toEqual(["431", false]);
  expect(await emails({ origin: "manual", limit: 2 })).toEqual(["43", true]);
  const { data } = await resend.suppressions.get("a3@example.org");
  expect(await emails({ origin: "manual", limit: 2, after: data?.id })).toEqual(["1", false]);
  expect(await emails({ before: data?.id })).toEqual(["4", false]);
  const { data: bounces } = await resend.suppressions.list({ origin: "bounce" });
  expect(bounces?.data).toMatchObject([{ origin: "bounce", source_id: email_id.slice(6) }]);
  expect(await resend.suppressions.list({ origin: "x" as never })).toMatchObject({
    error: { statusCode: 422, name: "validation_error" },
  });
});

it("a batch of suppressions is added and removed, or refused as a whole", async () => {
  const emails = ["b1@example.org", "b2@example.org", "b2@example.org"];
  const { data: added } = await resend.suppressions.batch.add({ emails });
  expect(added?.data).toHaveLength(2);
  expect((await resend.suppressions.batch.add({ emails })).data).toEqual(added);
  expect(await resend.suppressions.batch.add({ emails: ["b3@example.org", "no"] })).toMatchObject({
    error: { message: expect.stringMatching(/^`emails.1` /) },
  });
  expect(await resend.suppressions.get("b3@example.org")).toMatchObject({ data: null });
  const ids = added!.data.map(({ id }) => id);
  expect(await resend.suppressions.batch.remove({ ids: [ids[0]!, "x"] })).toMatchObject({
    data: { data: [{ object: "suppression", id: ids[0], deleted: true }] },
  });
  const removed = await resend.suppressions.batch.remove({ emails });
  expect(removed.data?.data.map(({ id }) => id)).toEqual([ids[1]]);
  for (const body of [{}, { emails: [] }, { emails: Array(101).fill("a@example.org") }])
    expect(await resend.suppressions.batch.remove(body as never)).toMatchObject({
      error: { statusCode: 422 },
    });
});

it("the events of a webhook are listed with their attempts, shown, and sent again", async () => {
  const events = ["email.delivered", "email.bounced"];
  const { id: webhookId, signing_secret: webhookSecret } = await made(events);
  receiver.answer = () => new Response("busy", { status: 500 });
  const to = ["delivered@simulator.postern.test", "bounced@simulator.postern.test"];
  await team.sent({ to });
  const list = async (options: object = {}) =>
    (await resend.webhooks.events.list({ webhookId, ...options })).data!;
  await expect.poll(async () => (await list()).data.length).toBe(2);
  const [newest, oldest] = (await list()).data;
  expect(new Set([newest?.type, oldest?.type])).toEqual(
    new Set(["email.bounced", "email.delivered"]),
  );
  expect(newest).toMatchObject({ status: "pending", id: expect.stringMatching(/^evt_/) });
  expect(await list({ limit: 1 })).toMatchObject({ has_more: true, data: [newest] });
  expect(await list({ after: newest!.id })).toMatchObject({ has_more: false, data: [oldest] });
  const one = { webhookId, eventId: newest!.id };
  expect(await resend.webhooks.events.get(one)).toMatchObject({
    data: { ...newest, object: "webhook_event", payload: { type: newest?.type } },
  });
  const { data: attempts } = await resend.webhooks.events.attempts.list(one);
  expect(attempts).toMatchObject({
    has_more: false,
    data: [{ http_status_code: 500, response: "busy", sent_at: expect.any(String) }],
  });
  const { headers, body: payload } = receiver.received[0]!;
  const [id = "", timestamp = "", signature = ""] = ["id", "timestamp", "signature"].map(
    (name) => headers[`svix-${name}`],
  );
  expect(
    resend.webhooks.verify({ payload, webhookSecret, headers: { id, timestamp, signature } }),
  ).toMatchObject({ data: { from: team.from } });
  receiver.answer = () => new Response("ok");
  expect(await resend.webhooks.events.replay(one)).toMatchObject({
    data: { object: "webhook_event", id: newest?.id },
  });
  await expect.poll(async () => (await list()).data.length).toBeGreaterThan(2);
  const [again] = (await list()).data;
  const { data: shown } = await resend.webhooks.events.get({ webhookId, eventId: again!.id });
  expect(shown).toMatchObject({ status: "success", next_attempt_at: null });
  expect(shown?.payload).toMatchObject({ type: newest?.type, data: { from: team.from } });
  for (const eventId of ["x", "evt_0"])
    expect(await resend.webhooks.events.get({ webhookId, eventId })).toMatchObject({
      error: { statusCode: 404, name: "not_found" },
    });
});
