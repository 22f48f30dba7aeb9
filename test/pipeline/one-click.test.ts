// Tests that an unsubscribe by one click (src/mail/feedback/unsubscribe.ts) suppresses the address
// for the link's topic only, and makes one event.
import { describe, expect, it } from "vitest";
import { newEmailId } from "../../src/lib/ids.ts";
import { releaseDayAt } from "../../src/mail/recipient-ref.ts";
import { unsubscribeUrl, type UnsubscribeRef } from "../../src/mail/unsubscribe-link.ts";
import { suppressionsOf as suppressionListOf } from "../../src/db/client.ts";
import { suppressForUnsubscribe } from "../../src/resources/suppressions/automatic-suppressions.ts";
import { teamFor } from "../../src/resources/team-settings/team-cache.ts";
import { bindings, numberOf, headOf, operator, pretendMail } from "../support/api.ts";
import { unsubscribeByOneClick, visit } from "../support/recipient.ts";
import { someone, Harness, typesOf, kindsOf } from "../support/harness.ts";
import { sendWithLink } from "./unsubscribe-sends.ts";
import { ofEachTest } from "../support/before-tests.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const KEY = "signing-key-for-tests-0123456789abcdef";

const harness = ofEachTest(Harness.make);

/**
 * Returns the reference of an unsubscribe link. Its message was accepted at `at` and has been
 * deleted since.
 */
async function unrememberedRef(at: number): Promise<UnsubscribeRef> {
  const teamNumber = await numberOf(harness.id);
  await pretendMail(harness.id);
  const names = { teamNumber, emailId: newEmailId(at), releaseDay: releaseDayAt(at) };
  return { ...names, recipient: someone(), topic: "news", sender: "Shop" };
}

const linkOf = (ref: UnsubscribeRef) => unsubscribeUrl("https://postern.test", KEY, ref);

/**
 * Suppresses the address for the topic "news" at `at`, but records no unsubscribe event: as if the
 * process was killed between the two steps.
 */
async function suppressAt(at: number, email: string): Promise<void> {
  const team = await teamFor(bindings, harness.id, Date.now());
  await suppressForUnsubscribe(suppressionListOf(bindings, team!), email, "news", at);
}

const post = (link: string, body: string) =>
  visit(link, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body,
  });

describe("one click", () => {
  it("is taken back by the page's button for a day, and the page names the topic as the team does", async () => {
    await harness.patch("/v1/team", { topic_names: { news: "Weekly letters" } });
    const to = someone();
    const { link } = await sendWithLink(harness, to);
    expect((await post(link, "Unsubscribe=Undo")).status).toBe(400);
    const page = await (await unsubscribeByOneClick(link)).text();
    expect(page).toContain("Weekly letters");
    expect(page).toContain('name="Unsubscribe" value="Undo"');
    expect((await post(link, "Unsubscribe=Undo")).status).toBe(200);
    expect(await harness.suppressionsOf(to)).toEqual([]);
    const late = await unrememberedRef(Date.now());
    await suppressAt(Date.now() - 2 * DAY_MS, late.recipient);
    expect((await post(await linkOf(late), "Unsubscribe=Undo")).status).toBe(400);
    expect(await harness.suppressionsOf(late.recipient)).toHaveLength(1);
  });

  it("suppresses the address for its topic only, and makes one event", async () => {
    const to = `Mixed.Case-${crypto.randomUUID().slice(0, 8)}@receiver.example`;
    const { id, link } = await sendWithLink(harness, to, { tags: ["weekly"], campaign: "spring" });
    const response = await unsubscribeByOneClick(link);
    expect(headOf(response, "Location", "Set-Cookie")).toEqual([200, null, null]);
    const events = await harness.history(id, 3);
    expect(kindsOf(events)).toBe("sent delivered unsubscribed");
    expect(events[2]).toMatchObject({
      email_id: id,
      recipient: to,
      subject: "Hi",
      from: `hello@${harness.domain}`,
      from_domain: harness.domain,
      topic: "news",
      tags: ["weekly"],
      campaign: "spring",
      smtp_code: null,
      attempt: null,
      tracking: null,
      bounce_type: null,
    });
    const rows = await harness.suppressionsOf(to);
    expect(rows).toMatchObject([
      {
        email: to.toLowerCase(),
        topic: "news",
        reason: "unsubscribed",
        origin: "auto",
        classification: null,
        smtp_code: null,
        note: null,
        expires_at: null,
        explanation: { cause: "unsubscribed", evidence: { email_id: id, reply: null } },
      },
    ]);
    expect(rows[0]?.suppressed_at).toBe(events[2]?.occurred_at);

    const stopped = await harness.send({ to: [to], topic: "news", text: "x" });
    expect(kindsOf(await harness.history(stopped, 1))).toBe("suppressed");
    const other = await harness.send({ to: [to], topic: "receipts", text: "x" });
    expect(kindsOf(await harness.history(other, 2))).toBe("sent delivered");
    const without = await harness.send({ to: [to], text: "x" });
    expect(kindsOf(await harness.history(without, 2))).toBe("sent delivered");
  });

  const FORM = "application/x-www-form-urlencoded";
  const PARTS = "multipart/form-data; boundary=b";
  const ENDS = ["", "\n", "\r\n"];
  const part = (value: string) =>
    `--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\n${value}\r\n--b--`;
  const click = async (link: string, body: string, type?: string) => {
    const headers: Record<string, string> = type === undefined ? {} : { "Content-Type": type };
    return visit(link, { method: "POST", headers, body: new TextEncoder().encode(body) });
  };

  it("without the form field of RFC 8058 changes nothing, and is answered by a 400 with the page", async () => {
    const to = someone();
    const { id, link } = await sendWithLink(harness, to);
    for (const [body, type] of [
      [""],
      ["", FORM],
      ["List-Unsubscribe=one-click", FORM],
      ["list-unsubscribe=One-Click", FORM],
      [part("Two-Clicks"), PARTS],
      [`List-Unsubscribe=One-Click&pad=${"x".repeat(1_024)}`, FORM],
      ["List-Unsubscribe=One-Click\r\nmore", "text/plain"],
      ["List-Unsubscribe=One-Click", "text/html"],
      ['{"List-Unsubscribe":"One-Click"}', "application/json"],
      ["--b\r\nnonsense", PARTS],
      ["List-Unsubscribe=One-Click", "multipart/form-data"],
    ] as const) {
      const response = await click(link, body, type);
      expect(headOf(response, "Content-Type"), type).toEqual([400, "text/html; charset=UTF-8"]);
      expect(await response.text()).toContain(
        '<input type="hidden" name="List-Unsubscribe" value="One-Click">',
      );
    }
    expect(await harness.suppressionsOf(to)).toEqual([]);
    expect(kindsOf(await harness.history(id, 2))).toBe("sent delivered");
  });

  it.each([
    [FORM, "List-Unsubscribe=One-Click"],
    ["text/plain;charset=UTF-8", "List-Unsubscribe=One-Click"],
    [undefined, "List-Unsubscribe=One-Click"],
    [PARTS, part("One-Click")],
  ])("of the type %s may end in line ends", async (type, body) => {
    for (const end of ENDS) {
      const ref = await unrememberedRef(Date.now());
      expect((await click(await linkOf(ref), `${body}${end}`, type)).status).toBe(200);
      expect(await harness.suppressionsOf(ref.recipient)).toHaveLength(1);
    }
  });

  it("may come in any form encoding, repeatedly, and concurrently", async () => {
    const { id, link } = await sendWithLink(harness, someone());
    const form = new FormData();
    form.set("List-Unsubscribe", "One-Click");
    const responses = await Promise.all([
      visit(link, { method: "POST", body: form }),
      ...Array.from({ length: 5 }, () => unsubscribeByOneClick(link)),
    ]);
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
    expect((await unsubscribeByOneClick(link)).status).toBe(200);
    expect(
      typesOf(await harness.events(`email_id=${id}&event_type=email.unsubscribed`)),
    ).toHaveLength(1);
  });

  it("on two messages of one topic makes an event for each, and one suppression", async () => {
    const to = someone();
    const [first, second] = [await sendWithLink(harness, to), await sendWithLink(harness, to)];
    const links = harness.egress
      .to(to)
      .map(({ message }) => /^List-Unsubscribe: <([^>]+)>/m.exec(message)?.[1] ?? "");
    for (const link of links) expect((await unsubscribeByOneClick(link)).status).toBe(200);
    for (const { id } of [first, second])
      expect(await harness.events(`email_id=${id}&event_type=email.unsubscribed`)).toHaveLength(1);
    expect(await harness.suppressionsOf(to)).toHaveLength(1);
  });

  it("suppresses again after the team lifted the suppression", async () => {
    const to = someone();
    const { id, link } = await sendWithLink(harness, to);
    await unsubscribeByOneClick(link);
    expect((await harness.delete(`/v1/suppressions/${encodeURIComponent(to)}/news`)).status).toBe(
      204,
    );
    await scheduler.wait(5);
    await unsubscribeByOneClick(link);
    expect(await harness.suppressionsOf(to)).toHaveLength(1);
    expect(await harness.events(`email_id=${id}&event_type=email.unsubscribed`)).toHaveLength(2);
  });

  it("keeps the team's own suppression unchanged, and still makes an event", async () => {
    const to = someone();
    const { id, link } = await sendWithLink(harness, to);
    await harness.post("/v1/suppressions", { email: to, topic: "news", note: "by phone" });
    await unsubscribeByOneClick(link);
    await unsubscribeByOneClick(link);
    expect(await harness.suppressionsOf(to)).toMatchObject([
      { reason: "manual", origin: "manual", note: "by phone" },
    ]);
    expect(await harness.events(`email_id=${id}&event_type=email.unsubscribed`)).toHaveLength(1);
  });

  it("makes the event that a killed process left out, at the suppression's time", async () => {
    const to = someone();
    const { id, link } = await sendWithLink(harness, to);
    await suppressAt(Date.now(), to);
    for (let clicks = 0; clicks < 3; clicks += 1)
      expect((await unsubscribeByOneClick(link)).status).toBe(200);
    const [event, ...more] = await harness.events(`email_id=${id}&event_type=email.unsubscribed`);
    expect(more).toEqual([]);
    expect(event?.occurred_at).toBe((await harness.suppressionsOf(to))[0]?.suppressed_at);
  });

  it("works by the values in the link if the message was deleted", async () => {
    const ref = await unrememberedRef(Date.now() - 200 * DAY_MS);
    const link = await linkOf(ref);
    expect((await unsubscribeByOneClick(link)).status).toBe(200);
    expect(await harness.suppressionsOf(ref.recipient)).toMatchObject([
      { topic: "news", reason: "unsubscribed" },
    ]);
    const events = await harness.events(`email_id=${ref.emailId}`);
    expect(events).toMatchObject([
      {
        type: "email.unsubscribed",
        recipient: ref.recipient,
        topic: "news",
        message_id: "",
        subject: "",
      },
    ]);
    await unsubscribeByOneClick(link);
    expect(await harness.events(`email_id=${ref.emailId}`)).toHaveLength(1);
  });

  it("makes no event when the suppression is older than the team's retention", async () => {
    const ref = await unrememberedRef(Date.now() - 200 * DAY_MS);
    await suppressAt(Date.now() - 31 * DAY_MS, ref.recipient);
    expect((await unsubscribeByOneClick(await linkOf(ref))).status).toBe(200);
    expect(await harness.events(`email_id=${ref.emailId}`)).toEqual([]);
    expect(await harness.suppressionsOf(ref.recipient)).toHaveLength(1);
  });

  it("for a deleted team is answered with 200, and changes nothing", async () => {
    const ref = await unrememberedRef(Date.now());
    expect(
      (await unsubscribeByOneClick(await linkOf({ ...ref, teamNumber: 2_000_000 }))).status,
    ).toBe(200);
    expect(await harness.suppressionsOf(ref.recipient)).toEqual([]);
    expect((await operator.delete(`/admin/teams/${harness.id}`)).status).toBe(204);
    expect((await unsubscribeByOneClick(await linkOf(ref))).status).toBe(200);
  });
});
