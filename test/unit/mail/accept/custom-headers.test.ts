// Tests how a send's custom headers are read: those that the service itself sets are dropped, and
// no value can begin a new header line.
import { describe, expect, it } from "vitest";
import { readHeaders } from "../../../../src/mail/accept/custom-headers.ts";
import { FieldProblems } from "../../../../src/mail/accept/field-problems.ts";

function read(headers: unknown): (readonly [string, string])[] {
  const problems = new FieldProblems();
  const kept = readHeaders({ headers }, problems);
  if (problems.count > 0) throw new Error(problems.refusal().body);
  return kept;
}

const DROPPED =
  `From Sender To Cc Bcc Reply-To Subject Date Message-ID MIME-Version Content-Type Content-Transfer-Encoding Content-Disposition Content-X
  Return-Path Received X-Received Delivered-To X-Original-To Envelope-To Errors-To Resent-From Resent-To DKIM-Signature DomainKey-Signature
  Authentication-Results ARC-Seal ARC-Message-Signature Received-SPF BIMI-Selector Feedback-ID CFBL-Address TLS-Required TLS-Report-Domain
  X-Originating-IP X-Forwarded-For X-SES-Configuration-Set X-Spam-Status X-Virus-Scanned X-MS-Exchange-Organization-SCL X-Google-DKIM-Signature
  Disposition-Notification-To Return-Receipt-To X-Service-Tags`.split(/\s+/);

const KEPT =
  `Content-Language In-Reply-To References List-Unsubscribe List-Unsubscribe-Post List-Id Precedence Auto-Submitted Importance Priority
  Organization Comments Keywords X-Priority X-Mailer X-Sesame X-Spammy X-Contents Receivedx Toy 1-Header a`.split(
    /\s+/,
  );

describe("custom headers", () => {
  it.each(DROPPED)("omit %s, in any case", (name) => {
    for (const spelling of [name, name.toLowerCase(), name.toUpperCase()])
      expect(read({ [spelling]: "v" })).toEqual([]);
  });

  it.each(KEPT)("keep %s, in any case", (name) => {
    for (const spelling of [name, name.toLowerCase(), name.toUpperCase()])
      expect(read({ [spelling]: "v" })).toEqual([[spelling, "v"]]);
  });

  const malformed = "|-X|X_A|X A|X:|X-A\r\nBcc|X-A\0|Bcc | Bcc|X-é|__proto__";

  it.each([...malformed.split("|"), "x".repeat(79)])(
    "omit the malformed name %j without an error",
    (name) => {
      expect(read(JSON.parse(`{${JSON.stringify(name)}:"v","X-Kept":"k"}`))).toEqual([
        ["X-Kept", "k"],
      ]);
    },
  );

  it("omit a header by its name before its value is checked", () => {
    expect(read({ From: 5, X_A: null, constructor: "c" })).toEqual([["constructor", "c"]]);
  });

  it("keep names as written, up to 78 characters, in order", () => {
    const long = "x".repeat(78);
    expect(read({ "x-b": "1", [long]: "2", "X-a": "3" })).toEqual([
      ["x-b", "1"],
      [long, "2"],
      ["X-a", "3"],
    ]);
  });

  it("lose line breaks and control characters in values", () => {
    expect(
      read({
        "X-A": "a\r\nBcc: eve@example.org",
        "X-B": "\u0000b\u0007\tc\u007f ",
        "X-C": "\r\n",
        "X-D": "Zoë 😀",
      }),
    ).toEqual([
      ["X-A", "aBcc: eve@example.org"],
      ["X-B", "b c"],
      ["X-C", ""],
      ["X-D", "Zoë 😀"],
    ]);
  });

  it("keep the later of two names that differ in case", () => {
    expect(read({ "X-A": "1", "X-B": "2", "x-a": "3" })).toEqual([
      ["x-a", "3"],
      ["X-B", "2"],
    ]);
  });

  it("are counted without the omitted headers", () => {
    const headers = Object.fromEntries([...Array(25).keys()].map((at) => [`X-${at}`, "v"]));
    const more = { From: "x", Bcc: "y", "bad name": "z", "x-0": "again" };
    expect(read({ ...headers, ...more })).toHaveLength(25);
  });
});
