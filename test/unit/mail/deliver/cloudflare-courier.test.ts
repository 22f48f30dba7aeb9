// Tests how the Email Service's answers become a recipient's outcome
// (src/mail/deliver/couriers/cloudflare-courier.ts, with classification). The service itself is
// faked; test/programs/couriers/cloudflare-courier-binding.test.ts tests how messages are handed to
// it.
import { describe, expect, it, vi } from "vitest";
import { cloudflareCourier } from "../../../../src/mail/deliver/couriers/cloudflare-courier.ts";
import { refusalOf } from "../../../../src/explain/refusal-cause.ts";
import type {
  HeldCopy,
  OutboundCopy,
  TakenByProvider,
} from "../../../../src/mail/deliver/courier.ts";
import { toAttemptRecord } from "../../../../src/mail/deliver/attempt-record.ts";
import type { Outcome } from "../../../../src/mail/message.ts";
import { holdWaits } from "../../../support/held-time.ts";

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
): Promise<Map<string, Outcome | TakenByProvider | HeldCopy>> {
  const found = new Map<string, Outcome | TakenByProvider | HeldCopy>();
  async function* copies(): AsyncGenerator<OutboundCopy> {
    for (let index = 0; index < count; index += 1) yield copyOf(index);
  }
  await cloudflareCourier({ send }, speedup)(copies(), (key, outcome) => {
    if (outcome.kind !== "not_taken") found.set(key, outcome);
  });
  return found;
}

/**
 * Describes the event by its type, code and classification: `bounced 550 PolicyRelated`. `cause`:
 * the cause that its explanation gives.
 */
async function eventAfter(
  thrown: Error,
): Promise<{ summary: string; response: string; cause: string }> {
  const refuse = () => Promise.reject(thrown);
  const outcome = (await carryCopies(refuse)).get("a/0/1");
  if (outcome?.kind !== "reply" && outcome?.kind !== "failure")
    throw new Error(`no outcome: ${outcome?.kind}`);
  const times = { attempt: 1, handedAt: NOW, nextAttemptAt: NOW + 60_000, now: NOW + 1 };
  const { record } = toAttemptRecord(outcome, { recipient: "r0@receiver.example", ...times });
  const last = record.events.at(-1)!;
  const words = [last.type.slice("email.".length), last.smtpCode, last.bounce?.classification];
  return {
    summary: `${record.suppress ? "suppressing " : ""}${words.join(" ")}`,
    response: last.bounce?.smtpResponse ?? "",
    cause: refusalOf({
      bounce: last.bounce,
      exchange: last.exchange ?? null,
      smtpCode: last.smtpCode,
    }),
  };
}

const taken = () => Promise.resolve({ messageId: "m1" });

const errorWith = (code: string, message = "The Email Service's own words.") =>
  Object.assign(new Error(message), { code });

describe("an error of the Email Service", () => {
  const suppressed = /^550 5\.7\.1 Recipient is on .+ Suppressions\. .+ that list\.$/;
  const listed = errorWith("E_RECIPIENT_SUPPRESSED", "Recipient is on the suppression list.");
  const refused = errorWith("E_DELIVERY_FAILED", "remote said: 550 5.1.1 no such user here");
  const delayed = errorWith("E_DELIVERY_FAILED", "remote said: 451-4.7.1 try later");
  const bySize = new Error("E_CONTENT_TOO_LARGE: 6 MB");

  it.each<[string, string | Error, string, RegExp?]>([
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
    ["destination not verified", "bounced 550 PolicyRelated"],
    ["invalid headers set", "bounced 554 ContentRelated"],
    ["recipient is suppressed", "bounced 550 PolicyRelated"],
    ["recipient r0@receiver.example is on the suppression list", "bounced 550 PolicyRelated"],
    ["message too large", "bounced 552 QuotaIssues"],
    ["email.sending.error.email.too_big [10200]", "bounced 552 QuotaIssues"],
    ["email.sending.error.email.invalid [code: 10202]", "bounced 554 ContentRelated"],
    ["email.sending.error.internal_server [10002]", "delayed 451 "],
  ])("without a code is known by its words: %s", async (message, summary) => {
    expect((await eventAfter(new Error(message))).summary).toBe(summary);
  });

  it.each([
    ["the suppression list", listed, "suppressed_by_provider"],
    [
      "a recipient that is not allowed",
      errorWith("E_RECIPIENT_NOT_ALLOWED"),
      "recipient_not_allowed_by_provider",
    ],
    [
      "an address that is not verified",
      new Error("destination address is not a verified address"),
      "recipient_not_allowed_by_provider",
    ],
    [
      "a sender that the binding does not list",
      new Error("email from a@example.com not allowed"),
      "sender_not_set_up_at_provider",
    ],
    ["the message's size", bySize, "content_refused_by_provider"],
    ["a delivery without a reply", errorWith("E_DELIVERY_FAILED"), "undelivered_by_provider"],
    ["a server's refusal", refused, "InvalidRecipient"],
  ])("is explained by its cause, its own or the server's: %s", async (_, error, cause) => {
    expect(await eventAfter(error)).toMatchObject({ cause });
  });

  it.each([
    errorWith("E_RATE_LIMIT_EXCEEDED"),
    new Error("rate limit exceeded"),
    new Error("Too Many Requests"),
    new Error("email.sending.error.throttled"),
    Object.assign(new Error("429"), { code: 10_004 }),
  ])("about sending too fast gives no outcome, and no further copy is sent: %s", async (thrown) => {
    const send = vi.fn(() => Promise.reject(thrown));
    expect((await carryCopies(send, 50)).size).toBe(0);
    expect(send).toHaveBeenCalledOnce();
  });

  it.each([
    [errorWith("E_SENDER_NOT_VERIFIED"), "domain", "not_onboarded"],
    [errorWith("E_SENDER_DOMAIN_NOT_AVAILABLE"), "domain", "not_onboarded"],
    ["email sending not authorized for subdomain 'news.example.com'", "domain", "not_onboarded"],
    ["could not find domain config of sending domain", "domain", "not_onboarded"],
    ["email.sending.error.email.sender_not_configured", "domain", "not_onboarded"],
    ["email.sending.error.email.sending_disabled [10203]", "domain", "sending_disabled"],
    [Object.assign(new Error("Forbidden"), { code: "10203" }), "domain", "sending_disabled"],
    ["email.sending.error.authentication.not_entitled [10105]", "account", "not_entitled"],
    [errorWith("E_DAILY_LIMIT_EXCEEDED"), "account", "quota_used_up"],
    ["daily sending limit exceeded", "account", "quota_used_up"],
    ["Daily limit exceeded: 200 messages a day.", "account", "quota_used_up"],
    ["quota exceeded", "account", "quota_used_up"],
  ])("holds its domain or account after one sent copy: %s", async (given, scope, code) => {
    const thrown = typeof given === "string" ? new Error(given) : given;
    const send = vi.fn(() => Promise.reject(thrown));
    const found = await carryCopies(send, 8);
    const message = thrown.message;
    expect(found.get("a/0/1")).toEqual({ kind: "held", scope, code, message });
    expect(found.size).toBe(scope === "domain" ? 8 : 4);
    expect(send).toHaveBeenCalledOnce();
    expect((await carryCopies(taken)).get("a/0/1")).toEqual({ kind: "taken", providerId: "m1" });
  });

  it.each([
    ["a broken connection", new Error("Network connection lost."), "Network connection lost."],
    ["a thrown string", "oops", "oops"],
    [
      "addresses and keys",
      new Error("no <ann@example.com> by re_" + "8hJ2".repeat(8) + `, ${"so ".repeat(90)}`),
      `no *** by ***, ${"so ".repeat(61)}so`,
    ],
  ])(
    "with %s leaves the fate of the copy unknown, and its words are kept",
    async (_, thrown, words) => {
      const found = await carryCopies(() => Promise.reject(thrown));
      expect(found.get("a/0/1")).toEqual({ kind: "taken", providerId: null, words });
      await carryCopies(taken);
    },
  );

  it("holds the domain after the same unknown words three times, and asks again after a minute", async () => {
    vi.setSystemTime(Date.now());
    let requests = 0;
    const send = vi.fn(() => Promise.reject(new Error(`odd answer ${(requests += 1)}`)));
    const kinds = async (count: number) =>
      [...(await carryCopies(send, count)).values()].map(({ kind }) => kind).join();
    expect(await kinds(2)).toBe("taken,taken");
    await carryCopies(taken);
    expect(await kinds(3)).toBe("taken,taken,taken");
    expect(await carryCopies(send, 1)).toMatchObject(
      new Map([
        [
          "a/0/1",
          { kind: "held", scope: "domain", code: "unknown_words", message: "odd answer 5" },
        ],
      ]),
    );
    vi.setSystemTime(Date.now() + 60_000);
    expect(await kinds(4)).toBe("taken,held,held,held");
    expect(send).toHaveBeenCalledTimes(6);
    vi.setSystemTime(Date.now() + 60_000);
    expect((await carryCopies(taken)).get("a/0/1")).toEqual({ kind: "taken", providerId: "m1" });
    expect(await kinds(1)).toBe("taken");
  });

  it("about a header makes the courier send the copy without custom headers, and bounces nothing", async () => {
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

it("an answer that does not come within 30 seconds leaves the fate of the copy unknown", async () => {
  const waits = holdWaits(30_000);
  const carrying = carryCopies(() => new Promise(() => undefined));
  await expect.poll(() => waits.count).toBe(1);
  waits.pass();
  expect((await carrying).get("a/0/1")).toEqual({ kind: "taken", providerId: null });
});

it.each([undefined, {}, { messageId: "" }])(
  "an answer of the Email Service without an id leaves the fate of the copy unknown: %j",
  async (answer) => {
    const found = await carryCopies(() => Promise.resolve(answer as EmailSendResult));
    expect(found.get("a/0/1")).toEqual({ kind: "taken", providerId: null });
  },
);

it("the courier marks a copy as silent if no event will ever come about its recipient", async () => {
  const found = new Map<string, unknown>();
  async function* copies(): AsyncGenerator<OutboundCopy> {
    for (const index of [0, 1]) yield copyOf(index);
  }
  const silent = async () => new Set(["r1@receiver.example"]);
  await cloudflareCourier(
    { send: taken },
    1,
    silent,
  )(copies(), (key, outcome) => found.set(key, outcome));
  const told = { kind: "taken", providerId: "m1" };
  expect([...found.values()]).toEqual([told, { ...told, isSilent: true }]);
});

it("the courier sends at most four messages at once, however many teams send", async () => {
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
