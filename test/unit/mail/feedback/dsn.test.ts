// Tests how the fields of a delivery status are read (RFC 3464, RFC 6533), with
// vectors/delivery-status.json: which address counts, in which spelling, and which action is a
// failure.
import { describe, expect, it } from "vitest";
import { compareAddresses } from "../../../../src/mail/feedback/same-address.ts";
import vectors from "../../../../vectors/delivery-status.json" with { type: "json" };
import { outcomeOf, readAs } from "./reading.ts";

function report(...fields: readonly string[]): string {
  return [
    "From: MAILER-DAEMON@mx.example.com",
    "Content-Type: multipart/report; report-type=delivery-status; boundary=x",
    "",
    "--x",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mx.example.com",
    "",
    ...fields,
    "--x--",
    "",
  ].join("\r\n");
}

interface Case {
  readonly recipient: string;
  readonly fields: readonly string[];
  readonly statuses: readonly object[];
  readonly verdict: object | null;
}

describe.each(vectors.groups)("$about", ({ cases }) => {
  it.each<Case>(cases)("$recipient: $fields", ({ recipient, fields, ...expected }) => {
    expect(readAs(report(...fields), recipient)).toEqual(expected);
  });
});

describe("the recipient's address", () => {
  const FAILED = ["Action: failed", "Status: 5.1.1"];
  const GONE = "permanent InvalidRecipient - suppressed";

  it("does not bounce when X-Failed-Recipients names a forwarding target", () => {
    const failed = (address: string) =>
      `X-Failed-Recipients: ${address}\r\n${report("Final-Recipient: rfc822;ann@example.com", ...FAILED)}`;
    expect(outcomeOf(failed("ann@elsewhere.example.net"))).toBe("nothing");
    expect(outcomeOf(failed("ann@store.example.com"))).toBe(GONE);
    expect(outcomeOf(failed("bob@example.org, ann@example.com"))).toBe(GONE);
  });

  it("differs from the address with the same local part on a host below its domain", () => {
    expect(compareAddresses("ann@example.com", "ann@mail.example.com")).toBe("other");
  });
});
