// Tests src/resources/providers/refusal-text.ts: refusals for one reason have one text, which keeps
// the provider's codes.
import { describe, expect, it } from "vitest";
import { refusalText } from "../../../../src/resources/providers/refusal-text.ts";

describe("the text of a refusal", () => {
  it.each([
    [
      "550 5.7.1 Unfortunately, messages from [192.0.2.7] weren't sent. Please contact your Internet " +
        "service provider since part of their network is on our block list (S3150). " +
        "[DB5EUR01FT044.eop-EUR01.prod.protection.outlook.com 2026-11-23T02:53:10.000Z 08DC0A1B2C3D4E5F]",
      "550 5.7.1 Unfortunately, messages from […] weren't sent. Please contact your Internet service " +
        "provider since part of their network is on our block list (S3150). […]",
    ],
    [
      "550 5.1.1 The email account that you tried to reach does not exist. For more information, go " +
        "to https://support.google.com/mail/?p=NoSuchUser 5b1f17b1804b1-4777ab2c3d4si123.42 - gsmtp",
      "550 5.1.1 The email account that you tried to reach does not exist. For more information, go " +
        "to https://support.google.com/mail/ … - gsmtp",
    ],
    [
      "421 4.7.0 [TSS04] Messages from 192.0.2.7 temporarily deferred due to user complaints - 4.16.55.1; see https://postmaster.yahooinc.com/error-codes",
      "421 4.7.0 [TSS04] Messages from … temporarily deferred due to user complaints - …; see https://postmaster.yahooinc.com/error-codes",
    ],
    [
      "550 5.1.1 <ada@example.net>: Recipient address rejected: User unknown",
      "550 5.1.1 <…>: Recipient address rejected: User unknown",
    ],
    ["451 4.7.1 Greylisted at 12:30:45, try again", "451 4.7.1 Greylisted at …, try again"],
    ["550 blocked 2001:db8::17 and 2001:db8::18", "550 blocked … and …"],
    ["554 5.7.1 queued as 4f9Kq2Zr8 id=1234567890", "554 5.7.1 queued as …"],
    [
      "550 5.7.606 Access denied, Office365 banned sending IP (AS16012609)",
      "550 5.7.606 Access denied, Office365 banned sending IP (…)",
    ],
    ["", ""],
    ["   ", ""],
  ])("%j is %j", (reply, text) => {
    expect(refusalText(reply)).toBe(text);
    expect(refusalText(text)).toBe(text);
  });

  it("has at most 200 bytes, and is cut between characters", () => {
    for (const word of ["x", "ü", "😀"]) {
      const text = refusalText(`550 ${word.repeat(1_000)}`);
      const { length } = new TextEncoder().encode(text);
      expect([length > 190 && length <= 200, text.isWellFormed(), text.endsWith("…")]).toEqual([
        true,
        true,
        true,
      ]);
    }
  });
});
