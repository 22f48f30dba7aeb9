// Tests that an answer comes back to the message that it answers (contract.md §Replies): from the
// copy's Reply-To through a door to the row, the webhooks, the API and Resend's SDK.
import { beforeEach, describe, expect, it } from "vitest";
import { receiveEmail } from "../../../src/mail/feedback/email.ts";
import { MINUTE_MS, WEBHOOK_RETRY_WINDOW_MS } from "../../../src/limits.ts";
import { sweepReplies } from "../../../src/resources/replies/reply-retention.ts";
import { resendClient } from "../../api/resend/resend-client.ts";
import { bindings, call, errorsOf, fieldsOf, makeTeam, ok, type Page } from "../../support/api.ts";
import { askGateway } from "../../support/fakes/fake-gateway.ts";
import { FakeReceiver } from "../../support/fakes/fake-receiver.ts";
import { Harness, headersOf, someone } from "../../support/harness.ts";
import { alarmAt, answering, logged, outboxOf } from "../../support/test-outbox.ts";
import { create } from "../../support/test-webhooks.ts";
import { ofEachTest } from "../../support/before-tests.ts";

interface TestReply {
  readonly id: string;
  readonly email_id: string;
  readonly [member: string]: unknown;
}

const ANSWER =
  "Thank you.\r\n\r\nOn 5 May 2026, at 10:00, The Shop <hello@shop.test> wrote:\r\n> Hi\r\n";
const DAY_MS = 86_400_000;

const harness = ofEachTest(Harness.make);

beforeEach(async () => {
  await ok(harness.patch("/v1/team", { reads_replies: true }));
});

const repliesOf = async (query = "") =>
  (await ok<Page<TestReply>>(harness.get(`/v1/replies?${query}`))).data;

/** Sends a message that tracks replies. Returns its recipient and its reply address. */
async function sendTracked(body: Record<string, unknown> = {}) {
  const to = someone();
  const id = await harness.send({ to: [to], text: "Hi", reply_tracking: true, ...body });
  await harness.history(id, 2);
  const copy = await harness.copyTo(to);
  const [replyTo = ""] = headersOf(copy, "reply-to");
  const address = /<(r\+[a-z2-7]{61}@[^>]+)>/.exec(replyTo)?.[1] ?? "";
  return { id, to, replyTo, address, token: address.slice(2, 63), messageId: copy.messageId ?? "" };
}

type Tracked = Awaited<ReturnType<typeof sendTracked>>;

const mailFrom = (from: string, { fields = "", body = ANSWER, id = crypto.randomUUID() } = {}) =>
  `From: Ann <${from}>\r\nSubject: Re: Hi\r\nMessage-ID: <${id}@receiver.example>\r\n${fields}\r\n${body}`;

/** Hands a mail over as the gateway does. Returns the status. */
const handOver = async ({ token, address }: Tracked, raw: string, headers = {}) =>
  (
    await askGateway("POST", `/gateway/replies/${token}`, {
      raw,
      headers: { "X-Recipient": address, ...headers },
    })
  ).status;

const judge = async (token: string) =>
  (await askGateway("POST", `/gateway/reply-addresses/${token}`)).status;

describe("a send with reply_tracking", () => {
  it("gives each copy a signed Reply-To under the name of the given address, by HTTP and SMTP", async () => {
    const sent = await sendTracked({ reply_to: "Help <help@shop.example>" });
    expect(sent.replyTo).toMatch(/^Help <r\+/);
    expect(sent.address.slice(64)).toBe(`bounces.${harness.domain}`);
    expect(await judge(sent.token)).toBe(204);
    const to = [someone(), someone()];
    const id = await harness.submit(
      to,
      `From: Shop <a@${harness.domain}>\r\nReply-To: Own <own@shop.example>\r\nSubject: S\r\n` +
        "X-Service-Reply-Tracking: on\r\n\r\nHi\r\n",
    );
    await harness.history(id, 4);
    const fields = await Promise.all(
      to.map(async (one) => headersOf(await harness.copyTo(one), "reply-to")),
    );
    expect(new Set(fields.flat()).size).toBe(2);
    for (const field of fields) expect(field).toEqual([expect.stringMatching(/^Own <r\+/)]);
  });

  it("is refused if no one reads replies, or if the message is sensitive, even by its template alone", async () => {
    const send = { from: `a@${harness.domain}`, to: [someone()], subject: "S", text: "T" };
    const post = (body: object) => harness.post("/v1/email", { ...send, ...body });
    const both = { reply_tracking: true, sensitive: true };
    expect(await fieldsOf(post(both))).toEqual(["reply_tracking"]);
    const template = await ok<{ id: string }>(
      harness.post("/v1/templates", { name: "T", subject: "S", html: "<p>T</p>" }),
      201,
    );
    await ok(harness.post(`/v1/templates/${template.id}/publish`));
    const marked = await ok(harness.patch(`/v1/templates/${template.id}`, both));
    expect(marked).toMatchObject(both);
    const { text: _, ...templated } = send;
    expect(
      await fieldsOf(harness.post("/v1/email", { ...templated, template_id: template.id })),
    ).toEqual(["reply_tracking"]);
    const other = await Harness.make();
    const refused = { ...send, from: `a@${other.domain}`, reply_tracking: true };
    expect(await fieldsOf(other.post("/v1/email", refused))).toEqual(["reply_tracking"]);
    const batch = { emails: [{ to: [someone()] }], defaults: { ...refused, to: undefined } };
    expect(await errorsOf(other.post("/v1/email/batch", batch), 400)).toEqual({
      "emails.0.reply_tracking": [expect.stringContaining("email.replied")],
    });
    await create(other, {
      name: "R",
      url: "https://hooks.example.com/r",
      events: ["email.replied"],
    });
    expect((await other.post("/v1/email", refused)).status).toBe(202);
    expect(harness.id).not.toBe(other.id);
  });
});

describe("a reply", () => {
  it("is reported to webhooks once, and shown with its text apart from the quotation", async () => {
    const receiver = new FakeReceiver().install(true);
    for (const [name, more] of [
      ["persons", {}],
      ["all", { auto_replies: true }],
      ["resend", { format: "resend" }],
    ] as const)
      await create(harness, {
        name,
        url: `https://hooks.example.com/${name}`,
        events: ["email.replied"],
        ...more,
      });
    const sent = await sendTracked({ reply_to: ["Help <help@shop.example>"] });
    const raw = mailFrom(sent.to);
    expect(await handOver(sent, raw, { "X-Verdicts": "spf=pass dkim=none dmarc=x" })).toBe(202);
    expect(await handOver(sent, `Received: again\r\n${raw}`)).toBe(202);
    const vacation = mailFrom(sent.to, { fields: "Auto-Submitted: auto-replied\r\n" });
    expect(await handOver(sent, vacation)).toBe(202);
    await expect.poll(() => receiver.received.length, { interval: 50 }).toBe(4);
    const bodies = Object.groupBy(receiver.received, ({ url }) => url.slice(26));
    expect(Object.entries(bodies).map(([name, got]) => [name, got?.length])).toEqual(
      expect.arrayContaining([
        ["persons", 1],
        ["all", 2],
        ["resend", 1],
      ]),
    );
    const { events } = JSON.parse(bodies["persons"]?.[0]?.body ?? "") as { events: object[] };
    const [reply, auto] = (await repliesOf()).toReversed();
    expect(events).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        type: "email.replied",
        occurred_at: reply?.["received_at"],
        data: {
          email_id: sent.id,
          reply_id: reply?.id,
          recipient: sent.to,
          from: `Ann <${sent.to}>`,
          from_recipient: true,
          subject: "Re: Hi",
          text: "Thank you.",
          auto: false,
          spf: "pass",
          dkim: "none",
          received_at: reply?.["received_at"],
        },
      },
    ]);
    expect(JSON.parse(bodies["resend"]?.[0]?.body ?? "")).toMatchObject({
      type: "email.received",
      data: { email_id: reply?.id.slice(6), from: `Ann <${sent.to}>`, to: [sent.address] },
    });
    expect(auto).toMatchObject({ auto: true, email_id: sent.id });
    expect(await ok(harness.get(`/v1/replies/${reply?.id}`))).toMatchObject({
      text: "Thank you.",
      quoted: "On 5 May 2026, at 10:00, The Shop <hello@shop.test> wrote:\n> Hi",
      reply_to: ["Help <help@shop.example>"],
      dmarc: null,
      headers: { subject: "Re: Hi" },
      seen: false,
    });
    const email = await ok<{ replies: TestReply[] }>(harness.get(`/v1/email/${sent.id}`));
    expect(email.replies.map(({ id }) => id)).toEqual([reply?.id, auto?.id]);
  });

  it("stays unseen if its webhook is down for longer than the service retries", async () => {
    const receiver = new FakeReceiver().install(true);
    receiver.answer = answering(503);
    const about = {
      name: "down",
      url: "https://hooks.example.com/down",
      events: ["email.replied"],
    };
    const outbox = outboxOf(await create(harness, about));
    const sent = await sendTracked();
    const raw = mailFrom(sent.to);
    expect(await handOver(sent, raw)).toBe(202);
    await logged(outbox, 1);
    await alarmAt(outbox, Date.now() + WEBHOOK_RETRY_WINDOW_MS + MINUTE_MS);
    const newest = async () => (await outbox.deliveries(1, null))[0];
    const given = { outcome: "dropped", error: "expired", eventCount: 1 };
    await expect.poll(newest, { interval: 20 }).toMatchObject(given);
    const [lost, ...others] = await repliesOf("seen=false");
    expect([lost, others]).toMatchObject([{ email_id: sent.id, seen: false }, []]);
    expect(await ok(harness.get(`/v1/replies/${lost?.id}`))).toMatchObject({
      text: "Thank you.",
    });
    receiver.answer = answering(204);
    receiver.received.length = 0;
    expect(await handOver(sent, mailFrom(sent.to, { body: "And this.\r\n" }))).toBe(202);
    await expect.poll(() => receiver.received.length, { interval: 50 }).toBe(1);
    expect(receiver.only.body).toContain("And this.");
    expect(receiver.only.body).not.toContain(lost?.id);
    expect(await repliesOf("seen=false")).toHaveLength(2);
  });

  it("keeps its files and the raw mail, and is read by Resend's SDK", async () => {
    const sent = await sendTracked();
    const body =
      "--b\r\nContent-Type: text/plain\r\n\r\nSee it.\r\n--b\r\nContent-Type: text/csv; " +
      'name="a.csv"\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n' +
      "YSxi\r\nCg==\r\n--b--\r\n";
    const fields = 'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n';
    const raw = mailFrom("stranger@else.example", { fields, body });
    expect(await handOver(sent, raw)).toBe(202);
    const [reply] = await repliesOf(`email_id=${sent.id}&recipient=${sent.to.toUpperCase()}`);
    expect(reply).toMatchObject({
      from_recipient: false,
      recipient: sent.to,
      attachments: [{ index: 0, filename: "a.csv", content_type: "text/csv", size: 4 }],
    });
    const path = `/v1/replies/${reply?.id}`;
    expect(await (await harness.get(`${path}/attachments/0`)).text()).toBe("a,b\n");
    expect((await harness.get(`${path}/attachments/1`)).status).toBe(404);
    expect(await (await harness.get(`${path}/raw`)).text()).toBe(raw);
    const resend = resendClient(harness.key);
    const received = await resend.emails.receiving.get(reply?.id.slice(6) ?? "");
    expect(received.data).toMatchObject({ text: "See it.", from: "Ann <stranger@else.example>" });
    const { data: files } = await resend.emails.receiving.attachments.list({
      emailId: reply?.id ?? "",
    });
    const link = files?.data[0]?.download_url ?? "";
    expect(await (await call("GET", new URL(link).pathname)).text()).toBe("a,b\n");
    const one = { emailId: reply?.id ?? "", id: "0" };
    expect((await resend.emails.receiving.attachments.get(one)).data).toMatchObject({ size: 4 });
    const from = `help@${sent.address.slice(sent.address.indexOf("@bounces.") + 9)}`;
    const copy = await resend.emails.receiving.forward({ ...one, to: someone(), from });
    expect(copy).toMatchObject({ error: null, data: { id: expect.any(String) } });
    const { data: listed } = await resend.emails.receiving.list();
    expect(listed?.data.map(({ id }) => id)).toEqual([reply?.id.slice(6)]);
  });

  it("can be read by its team alone, and is kept longer until it is marked as seen", async () => {
    const sent = await sendTracked();
    await handOver(sent, mailFrom(sent.to));
    const [reply] = await repliesOf("seen=false");
    const path = `/v1/replies/${reply?.id}`;
    const stranger = await makeTeam();
    for (const one of [path, `${path}/raw`]) expect((await stranger.get(one)).status).toBe(404);
    expect((await stranger.patch(path, { seen: true })).status).toBe(404);
    expect(await fieldsOf(harness.patch(path, { seen: "x" }))).toEqual(["seen"]);
    const daysOf = ({ kept_until, received_at }: Record<string, string>) =>
      (Date.parse(kept_until ?? "") - Date.parse(received_at ?? "")) / DAY_MS;
    expect(daysOf(await ok(harness.get(path)))).toBe(90);
    expect(daysOf(await ok(harness.patch(path, { seen: true })))).toBe(30);
    expect(await repliesOf("seen=false")).toEqual([]);
    await sweepReplies(bindings, Date.now() + 31 * DAY_MS);
    expect((await harness.get(path)).status).toBe(404);
    const { objects } = await bindings.CONTENT.list({ prefix: "replies/" });
    expect(objects.filter(({ key }) => key.includes(harness.id))).toEqual([]);
  });
});

describe("a reply address", () => {
  it("takes 20 replies a day, and refuses a forged token and the message itself", async () => {
    const sent = await sendTracked();
    const other = await sendTracked();
    const forged = sent.token.slice(0, 45) + other.token.slice(45);
    expect([await judge(forged), await judge("a".repeat(61))]).toEqual([404, 404]);
    expect(await handOver({ ...sent, token: forged }, mailFrom(sent.to))).toBe(404);
    const own = `Message-ID: ${sent.messageId}\r\nSubject: Hi\r\n\r\nHi\r\n`;
    expect(await handOver(sent, own)).toBe(422);
    const last = mailFrom(sent.to);
    for (let count = 0; count < 19; count += 1) await handOver(sent, mailFrom(sent.to));
    expect(await handOver(sent, last)).toBe(202);
    expect([await judge(sent.token), await handOver(sent, mailFrom(sent.to))]).toEqual([429, 429]);
    expect(await handOver(sent, last)).toBe(202);
    expect(await judge(other.token)).toBe(204);
  });

  it("takes the answers of simulated readers", async () => {
    const to = ["replies@simulator.postern.test", "replies+vacation@simulator.postern.test"];
    const from = `hello@${harness.domain}`;
    const id = await harness.send({ from, to, text: "Hi", reply_tracking: true });
    const told = async () =>
      (await repliesOf(`email_id=${id}`))
        .map(({ auto }) => auto)
        .toSorted((one, other) => Number(one) - Number(other));
    await expect.poll(told, { interval: 50 }).toEqual([false, true]);
  });

  it("takes mail from Email Routing, which comes without verdicts on the sender", async () => {
    const sent = await sendTracked();
    const rejected: string[] = [];
    const deliver = (to: string, text: string) => {
      const raw = new TextEncoder().encode(text);
      const setReject = (reason: string) => void rejected.push(reason);
      const email = { from: sent.to, to, rawSize: raw.length, setReject };
      return receiveEmail({ ...email, raw: new Blob([raw]).stream() }, bindings, Date.now());
    };
    await deliver(`R+${sent.token}@reply.postern.test`, mailFrom(sent.to));
    await deliver(`r+${"a".repeat(61)}@reply.postern.test`, mailFrom(sent.to));
    expect(rejected).toEqual([expect.stringMatching(/^5\.1\.1 /)]);
    expect(await repliesOf()).toMatchObject([{ email_id: sent.id, spf: null }]);
  });
});
