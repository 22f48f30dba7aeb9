// Tests which bounces suppress their address (contract.md §Reasons and topics).
import { describe, expect, it } from "vitest";
import { judge } from "../../../../src/mail/deliver/judge.ts";
import type { BounceDetails } from "../../../../src/mail/message.ts";
import type { SmtpStage } from "../../../../smtp-gateway/src/smtp/smtp-reply.ts";
import { suppressionOf } from "../../../../src/mail/record/effects.ts";
import { BOUNCE_CLASSIFICATIONS } from "../../../../src/contracts/event-types.ts";

const AT = 1_760_000_000_000;
const STAGES: readonly SmtpStage[] = ["connect", "helo", "starttls", "mail", "rcpt", "data", "end"];

function bounce(details: Partial<BounceDetails>): BounceDetails {
  return {
    type: "permanent",
    classification: "InvalidRecipient",
    smtpCode: 550,
    smtpResponse: "550 5.1.1 no",
    ...details,
  };
}

function suppresses(
  code: number,
  enhanced: string | null,
  text: string,
  stage: SmtpStage,
): boolean {
  const verdict = judge(
    { kind: "reply", code, enhanced, text, stage, mxHost: null, tls: null },
    { nextAttemptAt: null },
  );
  return (
    verdict.kind === "bounced" && suppressionOf(verdict.bounce, verdict.refusedAt, AT) !== null
  );
}

it("a hard bounce makes a suppression with the bounce's class, code and time", () => {
  expect(suppressionOf(bounce({}), "rcpt", AT)).toEqual({
    classification: "InvalidRecipient",
    smtpCode: 550,
    at: AT,
  });
});

describe("the class of a bounce", () => {
  const address = ["InvalidRecipient", "BadDomain", "InactiveMailbox"];

  it.each(address)(
    "%s suppresses whenever the server had heard the address, or a report does not say",
    (classification) => {
      for (const stage of ["rcpt", "data", "end", null] as const)
        expect(suppressionOf(bounce({ classification }), stage, AT)).not.toBeNull();
      for (const stage of ["connect", "helo", "starttls", "mail"] as const)
        expect(suppressionOf(bounce({ classification }), stage, AT)).toBeNull();
    },
  );

  it.each(
    BOUNCE_CLASSIFICATIONS.filter((one) => !address.includes(one) && one !== "Uncategorized"),
  )("%s never suppresses", (classification) => {
    for (const stage of [...STAGES, null])
      expect(
        suppressionOf(bounce({ classification, smtpResponse: "550 no" }), stage, AT),
      ).toBeNull();
  });

  it.each(["Uncategorized", null])(
    "%s suppresses only when RCPT TO was refused",
    (classification) => {
      for (const stage of [...STAGES, null]) {
        expect(
          suppressionOf(bounce({ classification, smtpResponse: "550 no" }), stage, AT) !== null,
        ).toBe(stage === "rcpt");
      }
    },
  );
});

describe("the type of a bounce", () => {
  it.each(["transient", "expired"] as const)(
    "%s never suppresses, whatever else it says",
    (type) => {
      for (const stage of [...STAGES, null]) {
        expect(suppressionOf(bounce({ type }), stage, AT)).toBeNull();
      }
    },
  );
});

describe("a refusal of RCPT TO with unknown wording", () => {
  it.each([
    [550, null, ""],
    [550, null, "no"],
    [550, null, "Requested action not taken"],
    [550, "5.0.0", "<ann@example.org> nobody of that kind"],
    [550, null, "<spam-policy@blocked.example> nobody of that kind"],
    [550, "5.1.0", "Address problem"],
  ] as const)("suppresses: %i %s %s", (code, enhanced, text) => {
    expect(suppresses(code, enhanced, text, "rcpt")).toBe(true);
  });

  it.each([
    [550, null, "against our rules and policies"],
    [550, null, "junk is not for us"],
    [550, null, "your DKIM is odd"],
    [550, null, "please come later"],
    [550, null, "the content of it"],
    [550, null, "you are not permitted"],
    [550, null, "too many of you"],
    [550, "5.7.1", ""],
    [550, null, "abuse was reported"],
    [550, null, "Message rejected"],
    [550, null, "you are not welcome"],
    [554, "5.0.0", "Service unavailable"],
    [554, null, "internal error"],
    [550, null, "could not verify recipient"],
    [550, null, "database lookup failure"],
    [550, null, "domain example.com does not exist"],
    [550, null, "Zugriff verweigert"],
    [550, null, "remitente rechazado"],
    [550, null, "拒绝"],
  ] as const)(
    "does not suppress if it has a word about anything but the address: %i %s %s",
    (code, enhanced, text) => {
      expect(suppresses(code, enhanced, text, "rcpt")).toBe(false);
    },
  );

  it("does not suppress at any other stage", () => {
    for (const stage of STAGES.filter((one) => one !== "rcpt"))
      expect(suppresses(550, null, "no", stage)).toBe(false);
  });
});

describe("refusals as servers word them", () => {
  it.each<[boolean, number, string | null, string, SmtpStage]>([
    [true, 550, "5.1.1", "The email account that you tried to reach does not exist", "rcpt"],
    [true, 550, "5.4.1", "Recipient address rejected: Access denied.", "rcpt"],
    [
      true,
      554,
      null,
      "30 Sorry, your message cannot be delivered. This mailbox is disabled (554.30).",
      "end",
    ],
    [true, 556, "5.1.10", "Domain does not accept mail (nullMX)", "rcpt"],
    [false, 552, "5.2.2", "user is over quota", "rcpt"],
    [false, 552, "5.3.4", "message size exceeds fixed limit", "end"],
    [false, 554, "5.7.1", "Client host blocked using zen.spamhaus.org", "rcpt"],
    [false, 554, "5.7.1", "Relay access denied", "rcpt"],
    [
      false,
      550,
      "5.7.26",
      "This mail has been blocked because the sender is unauthenticated",
      "end",
    ],
    [false, 550, "5.7.1", "Message rejected due to local policy", "end"],
    [false, 550, "5.7.1", "Message rejected as spam", "end"],
    [false, 554, "5.7.1", "virus found", "end"],
    [false, 550, null, "User unknown", "mail"],
    [false, 554, null, "No SMTP service here", "connect"],
    [false, 450, "4.1.1", "User unknown", "rcpt"],
  ])("suppresses (%s): %i %s %s at %s", (expected, code, enhanced, text, stage) => {
    expect(suppresses(code, enhanced, text, stage)).toBe(expected);
  });
});
