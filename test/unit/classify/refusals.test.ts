// Measures how well refusals are classified, over a collection of more than 1,300: their class, and
// whether they suppress the address. The tests require rates. A single reply that must have its
// class belongs into worded.txt.
import { describe, expect, it } from "vitest";
import { confusionOf, LABELLED, ratesOf, treat, UNSEEN } from "./quoted-refusal.ts";
import type { SmtpStage } from "../../../smtp-gateway/src/smtp/smtp-reply.ts";

describe("the collection", () => {
  const hard = LABELLED.filter((refusal) => refusal.hard);

  it("is long enough to be meaningful, at RCPT TO and after DATA", () => {
    expect(LABELLED.length).toBeGreaterThan(1300);
    expect(hard.filter(({ stage }) => stage === "rcpt").length).toBeGreaterThan(200);
    expect(hard.filter(({ stage }) => stage === "data" || stage === "end").length).toBeGreaterThan(
      100,
    );
  });

  it("reaches the required rates", () => {
    const { exact, wronglySuppressed, missed, missedAfterData } = ratesOf(LABELLED);
    const confusion = confusionOf(LABELLED);
    expect(wronglySuppressed, confusion).toBeLessThanOrEqual(0.02);
    expect(missed, confusion).toBeLessThanOrEqual(0.03);
    expect(missedAfterData, confusion).toBeLessThanOrEqual(0.03);
    expect(exact, confusion).toBeGreaterThanOrEqual(0.9);
  });
});

it("a refusal that no rule was written for is read as well as when it was collected", () => {
  const { exact, wronglySuppressed, missed, missedAfterData } = ratesOf(UNSEEN);
  const confusion = confusionOf(UNSEEN);
  expect(wronglySuppressed, confusion).toBeLessThanOrEqual(5 / 58);
  expect(missed, confusion).toBeLessThanOrEqual(19 / 108);
  expect(missedAfterData, confusion).toBeLessThanOrEqual(8 / 31);
  expect(exact, confusion).toBeGreaterThanOrEqual(121 / 166);
});

/** A permanent refusal without a label: `code`, perhaps an enhanced code, and its text. */
function treated(reply: string, stage: SmtpStage) {
  const [, code = "", enhanced = null, text = ""] =
    /^(\d{3}) (?:([45]\.\d{1,3}\.\d{1,3}) )?(.*)$/.exec(reply) ?? [];
  return treat({ class: "", hard: false, stage, code: Number(code), enhanced, text });
}

describe("a refusal of the address, in whatever words", () => {
  it.each<[SmtpStage, string, string]>([
    ["rcpt", "550 The recipient cannot be verified", "InvalidRecipient"],
    ["rcpt", "501 5.1.5 Recipient address reserved by RFC 2606", "InvalidRecipient"],
    ["rcpt", "501 5.1.5 <ann@example.org> no", "InvalidRecipient"],
    ["rcpt", "550 5.7.1 User email address is marked as invalid", "InvalidRecipient"],
    ["rcpt", "554 5.7.1 Recipient address rejected: Invalid-Recipient.", "InvalidRecipient"],
    ["rcpt", "550 5.2.1 Account administratively disabled", "InactiveMailbox"],
    ["end", "550 Unrouteable address", "InvalidRecipient"],
    ["end", "550 Host unknown", "BadDomain"],
    ["end", "550 5.4.4 Invalid domain", "BadDomain"],
    ["end", "550 the email address ann cannot be found", "InvalidRecipient"],
    ["end", "550 mailbox has been decommissioned", "InactiveMailbox"],
    ["end", "550 Recipent unkown", "InvalidRecipient"],
    ["end", "550 non-existant mail-box", "InvalidRecipient"],
    ["end", "550 this adress is unknow", "InvalidRecipient"],
    ["end", "550 recipient address is not OK", "InvalidRecipient"],
    ["end", "550 there does not exist such a mailbox", "InvalidRecipient"],
    ["end", "550 This host doesn't have that user", "InvalidRecipient"],
    ["end", "550 Invalid userid", "InvalidRecipient"],
    ["end", "550 <ann@example.org> has been deactivated", "InactiveMailbox"],
    ["end", "550 recipient must log in to reactivate the mailbox", "InactiveMailbox"],
    ["end", "550 we don't accept mail for that person", "InactiveMailbox"],
    ["end", "550 this account is not allowed to receive messages", "InactiveMailbox"],
    ["end", "550 This address isn't used any longer", "InactiveMailbox"],
    ["end", "550 Das Postfach wird nicht mehr gelesen", "InactiveMailbox"],
    ["end", "550 Bloqueado por inactividad: casilla ann", "InactiveMailbox"],
    ["rcpt", "550 was permanently suspended", "InactiveMailbox"],
    ["rcpt", "550 addressee has a non-existing domain", "BadDomain"],
    ["end", "550 5.4.4 there is no MX", "BadDomain"],
    ["end", "550 destination domain is not known", "BadDomain"],
  ])("at %s suppresses: %s", (stage, reply, found) => {
    expect(treated(reply, stage)).toMatchObject({ class: found, suppressed: true });
  });
});

describe("a refusal that only sounds like one of the address", () => {
  it.each([
    "550 no such key",
    "550 unknown user certificate",
    "550 invalid recipient count",
    "550 Unknown user of submission service",
    "535 5.7.8 user unknown",
    "550 Mailbox locked by another process",
    "550 5.2.1 mailbox under maintenance",
    "550 mailbox temporarily disabled",
    "550 mailbox unavailable. Try again later",
    "550 mailbox unavailable or access denied",
    "550 5.2.0 mailbox in use by another program",
    "550 mail from unknown users is not accepted for this recipient",
    "550 you are not a valid user of this relay",
    "550 the recipient is not accepting messages from unknown senders",
    "550 group address closed to outside senders",
    "550 destination address is not a verified address",
    "550 this gateway no longer relays for anyone",
    "550 the list may not exist, or you do not have permission to write to it",
    "550 excessive number of invalid users",
    "550 user not logged in",
    "550 this user must log in to send",
    "550 recipient not on the list of trusted senders",
    "550 recipient not OK, try again later",
    "550 mailbox not available right now",
    "550 we do not have an address record for that client",
    "550 we don't accept mail for that person from here",
    "550 b@example.com is disabled for sending",
    "550 has been suspended until payment",
    "550 cannot verify the recipient server",
    "550 sender address is not OK",
    "550 Ihr Konto ist nicht mehr aktiv",
  ])("suppresses nothing at RCPT TO: %s", (reply) => {
    expect(treated(reply, "rcpt").suppressed).toBe(false);
  });

  it.each(["5.3.9", "5.4.0", "5.4.1", "5.4.6", "5.4.316"])(
    "suppresses nothing with a code of the system or the way to it: %s",
    (enhanced) => {
      expect(treated(`550 ${enhanced} peculiar`, "rcpt").suppressed).toBe(false);
    },
  );
});

describe("a refusal that quotes our own return-path", () => {
  const token = "abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrstuvwxyz234";
  const refusal = {
    class: "InvalidSender",
    hard: false,
    stage: "rcpt",
    code: 550,
    enhanced: null,
  } as const;

  it.each([
    `<b+${token}@bounces.shop.example>: User unknown`,
    `5.1.1 b+${token}@bounces.shop.example no such mailbox, ask postmaster@example.org`,
    `<b+${token}@bounces.shop.example>: no`,
    `SRS0=ab=b+${token}@bounces.shop.example does not exist`,
  ])("but does not name the recipient suppresses nothing: %s", (text) => {
    expect(treat({ ...refusal, text })).toMatchObject({
      class: "InvalidSender",
      suppressed: false,
    });
  });

  it("together with the recipient suppresses as its wording says", () => {
    const text = `from b+${token}@bounces.shop.example to ann@example.org: user unknown`;
    expect(treat({ ...refusal, text })).toMatchObject({
      class: "InvalidRecipient",
      suppressed: true,
    });
  });
});

describe("a code of the sender or the session", () => {
  it.each([
    ["5.1.7", "<b@shop.example>: User unknown", "InvalidSender"],
    ["5.1.8", "unknown domain", "InvalidSender"],
    ["5.7.13", "account disabled", "InvalidSender"],
    ["5.5.4", "invalid domain", "ProtocolErrors"],
  ])("%s outweighs wording that does not name the recipient: %s", (enhanced, text, found) => {
    const refusal = {
      class: found,
      hard: false,
      stage: "rcpt",
      code: 550,
      enhanced,
      text,
    } as const;
    expect(treat(refusal)).toMatchObject({ class: found, suppressed: false });
  });

  it.each([
    ["5.5.0", "Requested action not taken: mailbox unavailable", "InvalidRecipient"],
    ["5.7.13", "The recipient's mailbox has been disabled", "InactiveMailbox"],
    ["5.1.8", "Recipient address rejected: user unknown", "InvalidRecipient"],
  ])("%s is outweighed by wording that names the recipient: %s", (enhanced, text, found) => {
    const refusal = { class: found, hard: true, stage: "rcpt", code: 550, enhanced, text } as const;
    expect(treat(refusal)).toMatchObject({ class: found, suppressed: true });
  });
});

it("a refusal of RCPT TO with unknown wording suppresses only with 550, 551 or 553", () => {
  const suppressing = [550, 551, 552, 553, 554, 555, 571].filter(
    (code) =>
      treat({ class: "", hard: false, stage: "rcpt", code, enhanced: null, text: "so nicht" })
        .suppressed,
  );
  expect(suppressing).toEqual([550, 551, 553]);
});
