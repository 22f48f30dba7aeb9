// Tests that a report at a real return-path becomes one event and one suppression of the right
// recipient (contract.md §Bounce reports). A message that only resembles a report has no effect.
import { describe, expect, it } from "vitest";
import { receiveReport } from "../../src/mail/feedback/inbound.ts";
import { bindings } from "../support/api.ts";
import { someone, Harness, typesOf } from "../support/harness.ts";
import { report, reportAbout, ReturnedMail, tokenIn } from "./returned-mail.ts";
import { ofEachTest } from "../support/before-tests.ts";

const BOUNCED = "email.bounced";
const COMPLAINED = "email.complained";
const DAY_MS = 24 * 60 * 60 * 1_000;

const harness = ofEachTest(Harness.make);
const mail = new ReturnedMail(harness);

describe("a bounce that comes back", () => {
  it("is an event of its message, and suppresses the address", async () => {
    const to = someone();
    const { id, tokens } = await mail.send(to);
    expect(await report(tokens[0] ?? "", reportAbout("postfix-user-unknown", to))).toBe(202);
    const [bounced, ...others] = await mail.eventsOf(id, BOUNCED);
    expect(others).toEqual([]);
    expect(bounced).toMatchObject({
      recipient: to,
      smtp_code: 550,
      bounce_type: "permanent",
      bounce_classification: "InvalidRecipient",
      attempt: null,
      tracking: null,
      subject: "Hi",
      topic: "news",
      tags: ["a"],
      from: `hello@${harness.domain}`,
    });
    const [suppression, ...more] = await harness.suppressionsOf(to);
    expect(more).toEqual([]);
    expect(suppression).toMatchObject({
      topic: "*",
      reason: "permanent_bounce",
      origin: "auto",
      classification: "InvalidRecipient",
      smtp_code: 550,
      suppressed_at: bounced?.["occurred_at"],
    });
    expect(
      Date.parse(suppression?.expires_at ?? "") - Date.parse(suppression?.suppressed_at ?? ""),
    ).toBe(90 * DAY_MS);
  });

  it("is read as a server's when its envelope sender is null, whatever its From", async () => {
    const to = someone();
    const { id, tokens } = await mail.send(to);
    const notice = new TextEncoder().encode(
      "From: Front desk <desk@mx.example.com>\r\nSubject: Undeliverable: Hi\r\n\r\nNo such " +
        "mailbox.\r\n",
    );
    await receiveReport(bindings, tokens[0] ?? "", notice, Date.now(), false);
    expect(await mail.eventsOf(id, BOUNCED)).toEqual([]);
    await receiveReport(bindings, tokens[0] ?? "", notice, Date.now(), true);
    expect(await mail.eventsOf(id, BOUNCED)).toMatchObject([
      { recipient: to, bounce_classification: "InvalidRecipient" },
    ]);
    expect(await harness.suppressionsOf(to)).toEqual([]);
  });
});

describe("a complaint", () => {
  it("is an event, and suppresses the address permanently", async () => {
    const to = someone();
    const { id, tokens } = await mail.send(to);
    await report(tokens[0] ?? "", reportAbout("arf-minimal", to));
    await report(tokens[0] ?? "", reportAbout("arf-fraud", to));
    expect(await mail.eventsOf(id, COMPLAINED)).toMatchObject([
      { recipient: to, attempt: null, smtp_code: null, bounce_type: null, topic: "news" },
    ]);
    expect(await harness.suppressionsOf(to)).toMatchObject([
      {
        topic: "*",
        reason: "complaint",
        origin: "auto",
        classification: "abuse",
        smtp_code: null,
        expires_at: null,
      },
    ]);
  });
});

describe("a report that follows delivery at once", () => {
  it("finds its message even before the delivery is recorded", async () => {
    const to = someone();
    const id = await harness.send({ from: `hello@${harness.domain}`, to: [to], text: "Hello." });
    await expect.poll(() => harness.egress.to(to).length, { interval: 5 }).toBe(1);
    expect(
      await report(
        tokenIn(harness.egress.to(to)[0]?.mail_from),
        reportAbout("postfix-user-unknown", to),
      ),
    ).toBe(202);
    const events = await harness.history(id, 3);
    expect(typesOf(events).toSorted()).toEqual([BOUNCED, "email.delivered", "email.sent"]);
    expect(await harness.suppressionsOf(to)).toMatchObject([
      { classification: "InvalidRecipient" },
    ]);
  });
});
