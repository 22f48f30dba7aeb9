// Tests how the Email Service's answers become a recipient's outcome
// (src/mail/deliver/couriers/cloudflare-courier.ts, with classification). The service itself is
// faked; test/programs/couriers/cloudflare-courier-binding.test.ts tests how messages are handed to
// it.
import { describe, expect, it, vi } from "vitest";
import {
  cloudflareCourier,
  pausedUntil,
} from "../../../../src/mail/deliver/couriers/cloudflare-courier.ts";
import type { OutboundCopy, TakenByProvider } from "../../../../src/mail/deliver/courier.ts";
import { toAttemptRecord } from "../../../../src/mail/deliver/attempt-record.ts";
import type { Outcome } from "../../../../src/mail/message.ts";

const NOW = Date.UTC(2026, 0, 1);
const MESSAGE = new TextEncoder().encode(
  "From: a@example.com\r\nMessage-ID: <1@example.com>\r\n\r\nHi.\r\n",
);

const copyOf = (index: number): OutboundCopy => ({
  key: `a/${index}/1`,
  mailFrom: "b+token@bounces.example.com",
  rcptTo: `r${index}@receiver.example`,
  sender: "a@example.com",
  pool: null,
  team: null,
  bytes: MESSAGE,
});

/**
 * Sends `count` copies through an Email Service whose `send` is given. Returns the outcomes by key.
 */
async function carryCopies(
  send: SendEmail["send"],
  count = 1,
  speedup = 1,
): Promise<Map<string, Outcome | TakenByProvider>> {
  const found = new Map<string, Outcome | TakenByProvider>();
  async function* copies(): AsyncGenerator<OutboundCopy> {
    for (let index = 0; index < count; index += 1) yield copyOf(index);
  }
  await cloudflareCourier({ send }, speedup)(copies(), (key, outcome) => {
    if (outcome.kind !== "not_taken") found.set(key, outcome);
  });
  return found;
}

/** Describes the event by its type, code and classification: `bounced 550 PolicyRelated`. */
async function eventAfter(thrown: Error): Promise<{ summary: string; response: string }> {
  const refuse = () => Promise.reject(thrown);
  const outcome = (await carryCopies(refuse)).get("a/0/1");
  if (!outcome || outcome.kind === "taken") throw new Error(`no outcome: ${outcome?.kind}`);
  const times = { attempt: 1, handedAt: NOW, nextAttemptAt: NOW + 60_000, now: NOW + 1 };
  const { record } = toAttemptRecord(outcome, { recipient: "r0@receiver.example", ...times });
  const last = record.events.at(-1)!;
  const words = [last.type.slice("email.".length), last.smtpCode, last.bounce?.classification];
  return {
    summary: `${record.suppress ? "suppressing " : ""}${words.join(" ")}`,
    response: last.bounce?.smtpResponse ?? "",
  };
}

const errorWith = (code: string, message = "The Email Service's own words.") =>
  Object.assign(new Error(message), { code });

describe("an error of the Email Service", () => {
  const suppressed = /^550 5\.7\.1 Recipient is on .+ Suppressions; .+ there\.$/;
  const listed = errorWith("E_RECIPIENT_SUPPRESSED", "Recipient is on the suppression list.");
  const refused = errorWith("E_DELIVERY_FAILED", "remote said: 550 5.1.1 no such user here");
  const delayed = errorWith("E_DELIVERY_FAILED", "remote said: 451-4.7.1 try later");
  const bySize = new Error("E_CONTENT_TOO_LARGE: 6 MB");

  it.each<[string, string | Error, string, RegExp?]>([
    ["a sender that is not verified", "E_SENDER_NOT_VERIFIED", "bounced 550 PolicyRelated"],
    ["a domain that does not exist", "E_SENDER_DOMAIN_NOT_AVAILABLE", "bounced 550 PolicyRelated"],
    ["a recipient that is not allowed", "E_RECIPIENT_NOT_ALLOWED", "bounced 550 PolicyRelated"],
    ["a recipient on the suppression list", listed, "bounced 550 PolicyRelated", suppressed],
    ["a message too large", "E_CONTENT_TOO_LARGE", "bounced 552"],
    ["an invalid message", "E_VALIDATION_ERROR", "bounced 554 ContentRelated"],
    ["a header that is not allowed", "E_HEADER_NOT_ALLOWED", "bounced 554 ContentRelated"],
    ["a delivery that failed", "E_DELIVERY_FAILED", "bounced 554 Uncategorized"],
    ["a refused address in a failed delivery", refused, "suppressing bounced 550 InvalidRecipient"],
    ["a server's delay inside a failed delivery", delayed, "delayed 451"],
    ["a fault of the service", "E_INTERNAL_SERVER_ERROR", "delayed 451"],
    ["an unknown code", "E_SOMETHING_NEW", "delayed 451"],
    ["a code in the message alone", bySize, "bounced 552"],
  ])("becomes an event: %s", async (_name, error, summary, response = /^/) => {
    const event = await eventAfter(typeof error === "string" ? errorWith(error) : error);
    expect(event.summary).toMatch(new RegExp(`^${summary}`));
    expect(event.response).toMatch(response);
  });

  it.each([
    ["email from a@b.c not allowed", "bounced 550 PolicyRelated"],
    ["email to a@b.c not allowed", "bounced 550 PolicyRelated"],
    ["destination address is not a verified address", "bounced 550 PolicyRelated"],
    ["invalid headers set", "bounced 554 ContentRelated"],
  ])("without a code is known by its words: %s", async (message, summary) => {
    expect((await eventAfter(new Error(message))).summary).toBe(summary);
  });

  it("about too fast sending gives no outcome and ends the round", async () => {
    const send = vi.fn(() => Promise.reject(errorWith("E_RATE_LIMIT_EXCEEDED")));
    expect((await carryCopies(send, 50)).size).toBe(0);
    expect(send.mock.calls.length).toBeLessThanOrEqual(4);
  });

  it("about the used-up daily quota gives no outcome and pauses the courier", async () => {
    const send = vi.fn(() => Promise.reject(errorWith("E_DAILY_LIMIT_EXCEEDED")));
    const [before, speedup] = [Date.now(), 900];
    expect((await carryCopies(send, 50, speedup)).size).toBe(0);
    expect(send.mock.calls.length).toBeLessThanOrEqual(4);
    expect(pausedUntil()).toBeGreaterThanOrEqual(before + 1_000);
    expect((await carryCopies(send, 50, speedup)).size).toBe(0);
    expect(send.mock.calls.length).toBeLessThanOrEqual(4);
    const resume = () => carryCopies(() => Promise.resolve({ messageId: "m1" }));
    await expect.poll(async () => (await resume()).size).toBe(1);
  });

  it.each([
    ["a broken connection", new Error("Network connection lost.")],
    ["no Error at all", "oops"],
  ])("with %s leaves the fate of the copy unknown", async (_, thrown) => {
    const found = await carryCopies(() => Promise.reject(thrown));
    expect(found.get("a/0/1")).toEqual({ kind: "taken", providerId: null });
  });

  it("about a header makes the copy go without custom headers, and never bounces it", async () => {
    const sent: EmailMessage[] = [];
    const found = await carryCopies((message) => {
      sent.push(message as EmailMessage);
      return sent.length === 1
        ? Promise.reject(errorWith("E_HEADER_VALUE_INVALID"))
        : Promise.resolve({ messageId: "m1" });
    });
    expect(found.get("a/0/1")).toEqual({ kind: "taken", providerId: "m1" });
    expect(sent.length).toBe(2);
  });

  it("does not keep other copies from being sent", async () => {
    let asked = 0;
    const found = await carryCopies(() => {
      asked += 1;
      return asked % 2 === 0
        ? Promise.resolve({ messageId: "<x@example.com>" })
        : Promise.reject(errorWith("E_DELIVERY_FAILED"));
    }, 20);
    expect(found.size).toBe(20);
  });
});

it.each([undefined, {}, { messageId: "" }])(
  "an answer of the Email Service without an id leaves the fate of the copy unknown: %j",
  async (answer) => {
    const found = await carryCopies(() => Promise.resolve(answer as EmailSendResult));
    expect(found.get("a/0/1")).toEqual({ kind: "taken", providerId: null });
  },
);

it("sends at most four messages at once, however many teams send", async () => {
  let open = 0;
  let most = 0;
  const courier = cloudflareCourier({
    send: async () => {
      open += 1;
      most = Math.max(most, open);
      await scheduler.wait(5);
      open -= 1;
      return { messageId: "<x@example.com>" };
    },
  });
  async function* copies(): AsyncGenerator<OutboundCopy> {
    for (let index = 0; index < 8; index += 1) yield copyOf(index);
  }
  let carried = 0;
  await Promise.all([1, 2, 3].map(() => courier(copies(), () => (carried += 1))));
  expect({ carried, most }).toEqual({ carried: 24, most: 4 });
});
