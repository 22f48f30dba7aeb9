// Tests GET /v1/email/{id} (src/mail/lookup): its answer from the 202 on, and who may read it.
import { describe, expect, it } from "vitest";
import { newEmailId } from "../../src/lib/ids.ts";
import type { Email } from "../../src/mail/lookup/wire.ts";
import { call, ok, operator } from "../support/api.ts";
import { DELIVERED } from "../support/fakes/fake-egress.ts";
import { Harness } from "../support/harness.ts";
import { anEvent, DAY, write } from "../unit/resources/events/sample-events.ts";
import { numbered } from "../support/shard-bindings.ts";
import { ofEachTest } from "../support/before-tests.ts";

const NOTHING_SAID = Object.fromEntries(
  "smtp_code smtp_response stage mx_host tls bounce_type bounce_classification rule suppression complaint tracking"
    .split(" ")
    .map((name) => [name, null]),
);

const harness = ofEachTest(Harness.make);

const someone = () => `Someone-${crypto.randomUUID().slice(0, 8)}@receiver.example`;

const send = (body: Record<string, unknown>) =>
  harness.accepted({ from: `Sender <hello@${harness.domain}>`, text: "Hello.", ...body });

/** Waits until the message's recipients have the given statuses, and returns the message. */
async function waitFor(id: string, ...statuses: string[]): Promise<Email> {
  await expect
    .poll(async () => (await harness.lookUp(id)).recipients.map(({ status }) => status), {
      interval: 100,
    })
    .toEqual(statuses);
  return harness.lookUp(id);
}

describe("a message that was just accepted", () => {
  it("is found at once, as it was sent, with every recipient queued", async () => {
    harness.egress.up = false;
    const [to, cc, bcc] = [someone(), someone(), someone()];
    const metadata = { order_id: "1042" };
    const labels = { tags: ["a"], topic: "news", campaign: "Spring", metadata };
    const addresses = { to: [`To <${to}>`], cc: [cc, to], bcc: [bcc, cc] };
    const { id, created_at } = await send({ ...addresses, ...labels });
    const queued = (recipient: string) => ({
      recipient,
      status: "queued",
      next_attempt_at: null,
      events: [],
      explanation: expect.objectContaining({ state: "queued", evidence: null }),
    });
    expect(await harness.lookUp(id)).toEqual({
      id,
      created_at,
      from: `hello@${harness.domain}`,
      from_name: "Sender",
      to: [to],
      cc: [cc],
      bcc: [bcc],
      subject: "Hi",
      message_id: `<${id.slice(6)}@${harness.domain}>`,
      template_id: null,
      ...labels,
      ip_pool: null,
      feedback_id: expect.stringMatching(
        /^(?:[0-9a-f]{12})?:(?:[0-9a-f]{12})?:[0-9a-f]{12}:postern\.test$/,
      ) as string,
      recipients: [queued(to), queued(cc), queued(bcc)],
      events_truncated: false,
    });
  });
});

describe("the timeline of a recipient", () => {
  const REFUSED = { ...DELIVERED, code: 550, enhanced: "5.1.1", text: "No such user here" };

  it.each([
    [
      "delivered",
      { ...DELIVERED, text: "OK 1 queued", mx_host: "gmail-smtp-in.l.google.com", tls: "TLSv1.3" },
      {
        smtp_code: 250,
        smtp_response: "250 2.0.0 OK 1 queued",
        stage: "end",
        mx_host: "gmail-smtp-in.l.google.com",
        tls: "TLSv1.3",
      },
    ],
    [
      "delayed",
      { ...DELIVERED, code: 451, enhanced: "4.7.1", text: "try later", stage: "rcpt" },
      { smtp_code: 451, smtp_response: "451 4.7.1 try later", stage: "rcpt" },
    ],
    [
      "bounced",
      { ...REFUSED, stage: "rcpt", tls: "TLSv1.2" },
      {
        smtp_code: 550,
        smtp_response: "550 5.1.1 No such user here",
        stage: "rcpt",
        tls: "TLSv1.2",
        bounce_type: "permanent",
        bounce_classification: "InvalidRecipient",
        rule: "wording: no such user",
      },
    ],
  ])("shows where, how and by which rule a message was %s", async (status, reply, facts) => {
    const to = someone();
    harness.egress.replies(to, reply);
    const { id } = await send({ to: [to], metadata: { status } });
    const {
      metadata,
      recipients: [recipient],
    } = await waitFor(id, status);
    expect(metadata).toEqual({ status });
    const event = (type: string) => ({
      ...NOTHING_SAID,
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/) as string,
      type,
      occurred_at: expect.stringMatching(/Z$/) as string,
      attempt: 1,
    });
    expect(recipient).toMatchObject({
      recipient: to,
      status,
      explanation: { evidence: { email_id: id, stage: facts.stage } },
    });
    expect(recipient?.events).toEqual([
      event("email.sent"),
      { ...event(`email.${status}`), mx_host: "mx.example.net", ...facts },
    ]);
  });

  it("shows when the next attempt is, and why a message was suppressed", async () => {
    const [deferring, refusing] = [someone(), someone()];
    harness.egress.replies(deferring, { ...DELIVERED, code: 451, text: "try later" });
    harness.egress.replies(refusing, { ...REFUSED, stage: "rcpt" });
    const { id } = await send({ to: [deferring, refusing] });
    const next = async () => (await harness.lookUp(id)).recipients[0]?.next_attempt_at;
    await expect.poll(next).toEqual(expect.any(String));
    const [delayed] = (await waitFor(id, "delayed", "bounced")).recipients;
    const lastAt = Date.parse(delayed?.events.at(-1)?.occurred_at ?? "");
    const wait = Date.parse(delayed?.next_attempt_at ?? "") - lastAt;
    expect(wait).toBeGreaterThan(58_000);
    expect(wait).toBeLessThan(62_000);
    const second = await send({ to: [refusing] });
    const [stopped] = (await waitFor(second.id, "suppressed")).recipients;
    const suppression = {
      reason: "permanent_bounce",
      topic: "*",
      classification: "InvalidRecipient",
    };
    expect(stopped?.events).toMatchObject([
      { ...NOTHING_SAID, type: "email.suppressed", attempt: null, suppression },
    ]);
  });

  it("continues with the recipient's reactions", async () => {
    const at = (local: string) => `${local}@simulator.postern.test`;
    const to = [at("complained"), at("clicked"), at("opened")];
    const { id } = await send({ to, html: '<a href="https://shop.example/">x</a>' });
    expect((await harness.lookUp(id)).metadata).toBeNull();
    const [complained, clicked, opened] = (
      await waitFor(id, "complained", "delivered", "delivered")
    ).recipients;
    const reaction = expect.objectContaining({ attempt: null, smtp_response: null, stage: null });
    const expected = [reaction, reaction, reaction];
    expect([complained, clicked, opened].map((one) => one?.events.at(-1))).toEqual(expected);
    expect(complained?.events.at(-1)?.complaint).toEqual({
      feedback_type: "abuse",
      user_agent: expect.any(String),
      reported_at: expect.stringMatching(/Z$/),
    });
    const facts = { url: "https://shop.example/", user_agent: expect.any(String) };
    expect(clicked?.events.at(-1)?.tracking).toEqual(facts);
    expect(opened?.events.at(-1)?.tracking).toEqual({ user_agent: expect.any(String) });
  });
});

describe("access to a message", () => {
  const notFound = async (id: string, key = harness.key) => {
    const response = await call("GET", `/v1/email/${encodeURIComponent(id)}`, { key });
    expect(response.status).toBe(404);
    return response.text();
  };

  it("ends with the retention of the message's last event", async () => {
    await ok(operator.patch(`/admin/teams/${harness.id}`, { event_retention_days: 3 }));
    const now = Date.now();
    const put = async (acceptedAt: number, eventAt: number) => {
      const emailId = newEmailId(acceptedAt);
      const recipient = "ada@example.org";
      await write(await numbered(harness.id), [
        anEvent(harness.id, { emailId, recipient, occurredAt: eventAt, metadata: { a: "b" } }),
      ]);
      return emailId;
    };
    const recent = await put(now - 2 * DAY, now - 2 * DAY + 5);
    const late = await put(now - 5 * DAY, now - 2 * DAY);
    const past = await put(now - 5 * DAY, now - 5 * DAY + 5);
    for (const id of [recent, late])
      expect(await harness.lookUp(id)).toMatchObject({
        metadata: { a: "b" },
        recipients: [{ status: "delivered" }],
      });
    await notFound(past);
  });

  it("shows the newest events of a message with more events than one read returns", async () => {
    const emailId = newEmailId(Date.now() - 60_000);
    const opened = Array.from({ length: 5_001 }, (_, index) =>
      anEvent(harness.id, {
        emailId,
        type: "email.opened",
        occurredAt: Date.now() - 50_000 + index,
      }),
    );
    await write(await numbered(harness.id), opened);
    const { events_truncated: truncated, recipients } = await harness.lookUp(emailId);
    expect(truncated).toBe(true);
    expect(recipients[0]?.status).toBe("delivered");
    expect(recipients[0]?.events).toHaveLength(5_000);
    expect(recipients[0]?.events[0]?.id).toBe(opened[1]?.id);
    expect(recipients[0]?.events.at(-1)?.id).toBe(opened.at(-1)?.id);
  });
});
