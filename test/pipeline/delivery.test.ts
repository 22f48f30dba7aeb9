// Tests delivery from the 202 to the events (src/mail/deliver, src/mail/record), through the real
// ledger, queue and databases. Only the receiving side is faked.
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { bindings, ok } from "../support/api.ts";
import { DELIVERED } from "../support/fakes/fake-egress.ts";
import { someone, Harness, typesOf } from "../support/harness.ts";
import { ofEachTest } from "../support/before-tests.ts";

const harness = ofEachTest(Harness.make);

const send = (body: Record<string, unknown>) =>
  harness.accepted({ from: `Sender <hello@${harness.domain}>`, text: "Hello.", ...body });
const events = (filter: string) => harness.events(filter);

/** Waits for `count` events of a message. Returns their types, oldest first. */
async function history(id: string, count: number): Promise<string[]> {
  return typesOf(await harness.history(id, count));
}

describe("a delivered message", () => {
  it("is sent once, signed, from its own return-path, with the events sent and delivered", async () => {
    const to = someone();
    const { id } = await send({
      to: [to],
      html: "<p>Hello.</p>",
      headers: { "X-Campaign-Id": "42" },
      tags: ["welcome"],
      topic: "news",
      priority: "high",
    });
    expect(await history(id, 2)).toEqual(["email.sent", "email.delivered"]);
    const [copy, ...others] = harness.egress.to(to);
    expect(others).toEqual([]);
    expect(copy).toMatchObject({ team: harness.id, pool: null, priority: "high" });
    expect(copy?.mail_from).toMatch(new RegExp(`^b\\+[a-z2-7]{61}@bounces\\.${harness.domain}$`));
    expect(copy?.message).toMatch(new RegExp(`^DKIM-Signature: [^]*d=${harness.domain};`));
    const parsed = await PostalMime.parse(copy?.message ?? "");
    const sender = { name: "Sender", address: `hello@${harness.domain}` };
    expect(parsed).toMatchObject({ subject: "Hi", from: sender, to: [{ address: to }] });
    expect(parsed.text?.trim()).toBe("Hello.");
    const [delivered] = await events(`email_id=${id}&event_type=email.delivered`);
    expect(delivered).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type: "email.delivered",
      occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      email_id: id,
      message_id: parsed.messageId,
      from: `hello@${harness.domain}`,
      from_domain: harness.domain,
      recipient: to,
      subject: "Hi",
      campaign: null,
      template_id: null,
      topic: "news",
      tags: ["welcome"],
      ip_pool: null,
      smtp_code: 250,
      bounce_type: null,
      bounce_classification: null,
      attempt: 1,
      tracking: null,
    });
  });

  it.each([
    ["the ledger's row", 300_000],
    ["R2", 1_100_000],
  ])(
    "with an attachment in %s is carried with every octet, and leaves none in R2",
    async (_, size) => {
      const to = someone();
      const bytes = Buffer.from(Uint8Array.from({ length: size }, (_item, index) => index * 7));
      const attachments = [{ filename: "a.bin", content: bytes.toString("base64") }];
      const { id } = await send({ to: [to], attachments });
      await history(id, 2);
      const email = await PostalMime.parse(harness.egress.to(to)[0]?.message ?? "");
      expect(bytes.equals(Buffer.from(email.attachments[0]?.content as ArrayBuffer))).toBe(true);
      await expect.poll(() => bindings.CONTENT.head(`content/${id}`)).toBeNull();
    },
  );
});

describe("a recipient that can't be mailed, beside one that can", () => {
  it("bounces as transient and is not suppressed, and no copy names it", async () => {
    const to = someone();
    const unmailable = ["Bob@my_host.example", "bob@intranet", "bob@[192.0.2.7]", "x@192.0.2.7"];
    const [first, second, third, fourth] = unmailable;
    const { id } = await send({ to: [to, first, second], cc: [third], bcc: [fourth] });
    const found = await harness.history(id, 6);
    expect(found.map(({ type, recipient }) => `${recipient} ${type}`).sort()).toEqual(
      [`${to} email.delivered`, `${to} email.sent`]
        .concat(unmailable.map((address) => `${address} email.bounced`))
        .sort(),
    );
    for (const bounce of found.filter(({ type }) => type === "email.bounced"))
      expect(bounce).toMatchObject({
        bounce_type: "transient",
        bounce_classification: "BadDomain",
      });
    expect(await events(`recipient=${encodeURIComponent(unmailable[0] ?? "")}`)).toHaveLength(1);
    expect(harness.egress.carried).toHaveLength(1);
    expect(harness.egress.carried[0]?.message).not.toMatch(/bob@/i);
    const suppressions = await harness.get("/v1/suppressions");
    expect(await suppressions.json()).toMatchObject({ data: [] });
    expect(await harness.lookUp(id)).toMatchObject({
      recipients: [to, ...unmailable].map((address) => ({
        recipient: address,
        status: address === to ? "delivered" : "bounced",
      })),
    });
  });
});

it("pictures and content ids without a counterpart are named in a header of the answer", async () => {
  const picture = { filename: "a.png", content: "aGk=" };
  const response = await harness.post("/v1/email", {
    from: `hello@${harness.domain}`,
    to: [someone()],
    subject: "Hi",
    html: "<img src='cid:größe.png'><img src='cid:gone'>",
    attachments: ["größe.png", "unused"].map((content_id) => ({ ...picture, content_id })),
  });
  expect(response.headers.get("X-Unmatched-Content-Ids")).toBe(
    "attachments.1.content_id, html.gone",
  );
});

describe("a calendar as text, at Resend's path", () => {
  it.each([
    ["by its type", { content_type: "text/calendar", filename: "invite" }],
    ["by its whole type", { content_type: "Text/Calendar; method=REQUEST", filename: "a.txt" }],
    ["by its name", { filename: "Invite.ICS" }],
  ])("is recognised %s and arrives unchanged, but is refused at /v1/email", async (_, members) => {
    const to = someone();
    const content = "BEGIN:VCALENDAR\r\nSUMMARY:Größe\r\nEND:VCALENDAR\r\n";
    const message = {
      from: `hello@${harness.domain}`,
      to: [to],
      subject: "Hi",
      html: "<p>See</p>",
    };
    const body = { ...message, attachments: [{ ...members, content }] };
    await history(`email_${(await ok<{ id: string }>(harness.post("/emails", body))).id}`, 2);
    const { attachments, raw } = await harness.copyTo(to);
    expect(attachments.map(({ mimeType }) => mimeType)).toEqual(["text/calendar"]);
    expect(raw.replaceAll("\r\n", "")).toContain(Buffer.from(content).toString("base64"));
    const refused = await harness.post("/v1/email", body);
    expect(await refused.json()).toMatchObject({
      error: { errors: { "attachments.0.content": ['is not valid base64: it contains ":"'] } },
    });
  });
});

describe("the list of all messages", () => {
  it("shows each message's status and newest event, while it is under way and after its end", async () => {
    const [good, bad] = [someone(), someone()];
    harness.egress.replies(bad, {
      ...DELIVERED,
      code: 550,
      enhanced: "5.1.1",
      text: "No such user",
    });
    const delivered = await send({ to: [good] });
    const bounced = await send({ to: [good], cc: [bad] });
    await history(delivered.id, 2);
    const last = (await harness.history(bounced.id, 4)).at(-1)!;
    harness.egress.up = false;
    const open = await send({ to: [good] });
    const response = await harness.get("/v1/email?status=all");
    const { data } = await response.json<{ data: { id: string }[] }>();
    expect(data.map(({ id }) => id)).toEqual(
      [open.id, bounced.id, delivered.id].toSorted().toReversed(),
    );
    expect(Object.fromEntries(data.map(({ id, ...rest }) => [id, rest]))).toMatchObject({
      [open.id]: { created_at: open.created_at, status: "queued", last_event: null },
      [bounced.id]: {
        to: [good],
        cc: [bad],
        status: "bounced",
        last_event: { occurred_at: last.occurred_at },
      },
      [delivered.id]: {
        created_at: delivered.created_at,
        status: "delivered",
        last_event: { type: "email.delivered", recipient: good },
      },
    });
  });
});
