// Tests the simulator's addresses (src/mail/deliver/simulator/simulation.ts) through the whole
// pipeline: their mail is accepted over HTTP and SMTP, composed and recorded, but never leaves.
import { describe, expect, it } from "vitest";
import { trackingUrl } from "../../src/mail/tracking-link.ts";
import { bindings } from "../support/api.ts";
import { settingsOf } from "../../src/settings.ts";
import { Harness, kindsOf } from "../support/harness.ts";
import { ofEachTest } from "../support/before-tests.ts";

const harness = ofEachTest(Harness.make);

const simulated = (local: string) => `${local}@simulator.postern.test`;

const send = (to: string | string[], more: Record<string, unknown> = {}) =>
  harness.send({ to: [to].flat(), text: "Hello.", ...more });
const history = (id: string, count: number) => harness.history(id, count);
const passTime = () => harness.pass(20 * 60_000);

describe("the simulator", () => {
  it("makes the events that each address stands for, and sends nothing", async () => {
    const expected = {
      delivered: "sent delivered",
      "Delivered+Order-17": "sent delivered",
      bounced: "sent bounced",
      "bounced+QuotaIssues": "sent bounced",
      "bounced+AutoReply": "sent delivered bounced",
      "nobody-here": "sent bounced",
      complained: "sent delivered complained",
      opened: "sent delivered opened",
      clicked: "sent delivered clicked",
      suppressed: "suppressed",
      expired: "sent delayed bounced",
    };
    const made = Object.entries(expected).map(async ([local, kinds]) => {
      const events = await history(await send(simulated(local)), kinds.split(" ").length);
      const times = events.map(({ occurred_at: at }) => at);
      expect(times).toEqual(times.toSorted());
      return [local, kindsOf(events)] as const;
    });
    expect(Object.fromEntries(await Promise.all(made))).toEqual(expected);
    await harness.settled();
    expect(harness.egress.carried).toEqual([]);
    for (const local of Object.keys(expected))
      expect(await harness.suppressionsOf(simulated(local)), local).toEqual([]);
  });

  it.each([
    ["delayed", 1],
    ["delayed+3", 3],
  ])("delays %s@ %i times by the schedule, and then delivers", async (local, times) => {
    const id = await send(simulated(local));
    for (let delay = 1; delay <= times; delay += 1) {
      const events = await history(id, 1 + delay);
      expect(kindsOf(events)).toBe(`sent${" delayed".repeat(delay)}`);
      expect(events.at(-1)).toMatchObject({ attempt: delay, smtp_code: 451 });
      await passTime();
    }
    const events = await history(id, times + 2);
    const facts = { type: "email.delivered", attempt: times + 1, smtp_code: 250 };
    expect(events.at(-1)).toMatchObject(facts);
  });

  it("clicks the first link of the HTML, or the service's URL if there is none", async () => {
    const html =
      '<p>Ünïcode <a href="mailto:x@y.example">mail</a> <a ' +
      'href="https://shop.example/a?b=1&amp;c=%C3%BC">shop</a> <a ' +
      'href="https://other.example/">x</a></p>';
    const url = async (id: string) => (await history(id, 3)).at(-1)?.["tracking"];
    const agent = { user_agent: expect.stringMatching(/^Mozilla\/5\.0 \(Windows/) };
    const expected = { url: "https://shop.example/a?b=1&c=%C3%BC", ...agent };
    expect(await url(await send(simulated("clicked"), { html }))).toEqual(expected);
    const facts = { url: settingsOf(bindings).publicUrl, ...agent };
    expect(await url(await send(simulated("clicked"), { html: "<p>nothing</p>" }))).toEqual(facts);
    expect(await url(await send(simulated("clicked")))).toEqual(facts);
  });

  it("shows the target of a tracked link that it clicks", async () => {
    const host = `links.${harness.domain}`;
    const tracked = await trackingUrl(settingsOf(bindings).signingKey, host, "c", {
      teamNumber: 1,
      emailId: "email_019e5b6c-943e-7e35-b378-f74400936f31",
      releaseDay: 20_597,
      recipientIndex: 0,
      url: "https://shop.example/offer",
    });
    const message = { html: `<a href="${tracked}">x</a>` };
    const events = await history(await send(simulated("clicked"), message), 3);
    expect(events.at(-1)?.["tracking"]).toMatchObject({ url: "https://shop.example/offer" });
  });

  it("can share a message with real recipients, who get their copies", async () => {
    const real = `someone-${crypto.randomUUID().slice(0, 8)}@receiver.example`;
    const id = await send([simulated("bounced"), real, simulated("suppressed")], {
      cc: [simulated("complained")],
    });
    const events = await history(id, 8);
    const of = (recipient: string) =>
      kindsOf(events.filter((event) => event.recipient === recipient));
    expect(of(real)).toBe("sent delivered");
    expect(of(simulated("bounced"))).toBe("sent bounced");
    expect(of(simulated("suppressed"))).toBe("suppressed");
    expect(of(simulated("complained"))).toBe("sent delivered complained");
    expect(harness.egress.carried.map(({ rcpt_to }) => rcpt_to)).toEqual([real]);
  });

  it("works over SMTP, too, and clicks the link of the submitted HTML", async () => {
    const encoded = Buffer.from('<a href="https://shop.example/ü">x</a>').toString("base64");
    const multipart = `Content-Type: multipart/alternative; boundary="b"`;
    const text = "Content-Type: text/plain\r\n\r\nHello.";
    const html = "Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64";
    const parts = `--b\r\n${text}\r\n--b\r\n${html}\r\n\r\n${encoded}\r\n--b--\r\n`;
    const message = `From: hello@${harness.domain}\r\nSubject: Hi\r\n${multipart}\r\n\r\n${parts}`;
    const to = [simulated("clicked"), simulated("BOUNCED+spamcontent")];
    const events = await history(await harness.submit(to, message), 5);
    expect(events.find(({ type }) => type === "email.clicked")?.["tracking"]).toMatchObject({
      url: "https://shop.example/%C3%BC",
    });
    const expected = { bounce_classification: "SpamContent", smtp_code: 550 };
    expect(events.find(({ type }) => type === "email.bounced")).toMatchObject(expected);
    expect(harness.egress.carried).toEqual([]);
  });

  it("obeys a suppression that the team added itself", async () => {
    const address = simulated("delivered");
    expect((await harness.post("/v1/suppressions", { email: address })).status).toBe(201);
    expect(kindsOf(await history(await send(address), 1))).toBe("suppressed");
  });
});
