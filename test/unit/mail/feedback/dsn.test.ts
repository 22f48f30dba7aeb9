// Delivery statuses field by field (RFC 3464, RFC 6533): which address counts, in which spelling,
// and which action is a failure.
import { describe, expect, it } from "vitest";
import { compareAddresses } from "../../../../src/mail/feedback/same-address.ts";
import { outcomeOf } from "./reading.ts";

function report(...fields: string[]): string {
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

const FAILED = ["Action: failed", "Status: 5.1.1"];
const GONE = "permanent InvalidRecipient - suppressed";

describe("the recipient's address", () => {
  it.each([
    "rfc822; ann@example.com",
    "RFC822;ann@example.com",
    "rfc822;<ann@example.com>",
    "rfc822; <Ann@EXAMPLE.com> (Ann)",
    "rfc822;\r\n\tann@example.com",
    "ann@example.com",
    "utf-8; ann@example.com",
    'rfc822; "ann"@example.com',
    "rfc822;+61nn@example.com",
    "utf-8; \\x{61}nn@example.com",
    "rfc822; ann@example.com.",
  ])("is recognised as Final-Recipient: %s", (value) => {
    expect(outcomeOf(report(`Final-Recipient: ${value}`, ...FAILED))).toBe(GONE);
  });

  it.each([
    "rfc822; ann@example.org",
    "rfc822; anne@example.com",
    "rfc822; ann@ample.com",
    "rfc822; bob+ann@example.com",
    "rfc822; ann@example.com@example.org",
    "rfc822; @example.com",
  ])("is not recognised as Final-Recipient: %s", (value) => {
    expect(outcomeOf(report(`Final-Recipient: ${value}`, ...FAILED))).toBe("nothing");
  });

  it.each(["x400; /CN=ann/O=example.com/", "rfc822;", "local; ann"])(
    "is the return-path's recipient, without a suppression, for %s",
    (value) => {
      expect(outcomeOf(report(`Final-Recipient: ${value}`, ...FAILED))).toBe(
        "permanent InvalidRecipient -",
      );
      expect(
        outcomeOf(
          report(
            `Final-Recipient: ${value}`,
            ...FAILED,
            "",
            "Final-Recipient: rfc822; bob@example.org",
            ...FAILED,
          ),
        ),
      ).toBe("nothing");
    },
  );

  it.each([
    ["a host without a domain", "ann@store"],
    ["a private host", "ann@store.example.internal"],
    ["a host of the recipient's domain", "a.smith@store.example.com"],
    ["another mailbox of the recipient's domain", "a.smith@example.com"],
    ["a provider's name for the domain", "ann@example.onmicrosoft.com"],
  ])("bounces without a suppression when its own servers rename it: %s", (_, final) => {
    const fields = [
      "Original-Recipient: rfc822; ann@example.com",
      `Final-Recipient: rfc822; ${final}`,
      "Remote-MTA: dns; store",
    ];
    expect(outcomeOf(report(...fields, ...FAILED))).toBe("permanent InvalidRecipient -");
  });

  it("bounces without a suppression when the reporting server renames it to its own domain", () => {
    const fields = [
      "Original-Recipient: rfc822; ann@customer.example",
      "Final-Recipient: rfc822; u12@example.com",
      "Remote-MTA: dns; store",
    ];
    expect(outcomeOf(report(...fields, ...FAILED), "ann@customer.example")).toBe(
      "permanent InvalidRecipient -",
    );
  });

  it("does not bounce when the mail was forwarded, even if it is the original recipient", () => {
    const fields = [
      "Original-Recipient: rfc822; ann@example.com",
      "Final-Recipient: rfc822; ann@elsewhere.example.net",
    ];
    expect(outcomeOf(report(...fields, "Remote-MTA: dns; mx.example.net", ...FAILED))).toBe(
      "nothing",
    );
    expect(
      outcomeOf(report(...fields, "Diagnostic-Code: smtp; 550 5.1.1 unknown", ...FAILED)),
    ).toBe("nothing");
    expect(outcomeOf(report(...fields, "Diagnostic-Code: X-Local; unknown", ...FAILED))).toBe(
      "permanent InvalidRecipient -",
    );
  });

  it("is the final recipient, not the original one", () => {
    const sentOn = [
      "Original-Recipient: rfc822;ann@example.com",
      "Final-Recipient: rfc822;bob@example.org",
      "Remote-MTA: dns; mx.org",
    ];
    expect(outcomeOf(report(...sentOn, ...FAILED))).toBe("nothing");
    expect(
      outcomeOf(
        report(
          "Original-Recipient: rfc822;list@example.org",
          "Final-Recipient: rfc822;ann@example.com",
          ...FAILED,
        ),
      ),
    ).toBe(GONE);
    expect(outcomeOf(report("Original-Recipient: rfc822;ann@example.com", ...FAILED))).toBe(GONE);
  });

  it("is another mailbox when an alias forwarded the mail", () => {
    const final = "Final-Recipient: rfc822;ann@example.com";
    expect(outcomeOf(report(final, "X-Actual-Recipient: rfc822; ann@example.org", ...FAILED))).toBe(
      "nothing",
    );
    expect(outcomeOf(report(final, "X-Actual-Recipient: rfc822; ann@example.com", ...FAILED))).toBe(
      GONE,
    );
    expect(
      outcomeOf(report(final, "X-Actual-Recipient: X-Unix; |/usr/bin/procmail", ...FAILED)),
    ).toBe(GONE);
  });

  it("does not bounce when X-Failed-Recipients names a forwarding target", () => {
    const failed = (address: string) =>
      `X-Failed-Recipients: ${address}\r\n${report("Final-Recipient: rfc822;ann@example.com", ...FAILED)}`;
    expect(outcomeOf(failed("ann@elsewhere.example.net"))).toBe("nothing");
    expect(outcomeOf(failed("ann@store.example.com"))).toBe(GONE);
    expect(outcomeOf(failed("bob@example.org, ann@example.com"))).toBe(GONE);
  });

  it("may be in xtext, in UTF-8, or contain a literal plus", () => {
    expect(
      outcomeOf(
        report("Final-Recipient: rfc822;ann+2Bnews@example.com", ...FAILED),
        "ann+news@example.com",
      ),
    ).toBe(GONE);
    expect(
      outcomeOf(
        report("Final-Recipient: rfc822;ann+2B@example.com", ...FAILED),
        "ann+2B@example.com",
      ),
    ).toBe(GONE);
    expect(
      outcomeOf(
        report("Final-Recipient: utf-8; ann@b\u00fccher.example", ...FAILED),
        "ann@xn--bcher-kva.example",
      ),
    ).toBe(GONE);
  });

  it("bounces without a suppression on a host below its domain or without its detail", () => {
    expect(outcomeOf(report("Final-Recipient: rfc822;ann@mail.example.com", ...FAILED))).toBe(
      "permanent InvalidRecipient -",
    );
    expect(
      outcomeOf(
        report("Final-Recipient: rfc822;ann@example.com", ...FAILED),
        "ann+news@example.com",
      ),
    ).toBe("permanent InvalidRecipient -");
    expect(compareAddresses("ann@example.com", "ann@mail.example.com")).toBe("other");
  });
});

describe("a recipient's verdict", () => {
  const ours = "Final-Recipient: rfc822;ann@example.com";

  it.each([
    ["permanent InvalidRecipient - suppressed", ["Action: FAILED", "Status: 5.1.1"]],
    [
      "permanent InvalidRecipient - suppressed",
      ["Action: failure", "Status: 5.1.1 (no such user)"],
    ],
    ["permanent InvalidRecipient - suppressed", ["Status: 5.1.1"]],
    ["transient TransientFailure -", ["Action: failed", "Status: 4.2.1"]],
    ["transient MessageExpired -", ["Action: failed", "Status: 5.4.7"]],
    ["transient NoAnswerFromHost -", ["Action: failed", "Status: 5.4.1"]],
    ["transient Uncategorized -", ["Action: failed"]],
    ["permanent Uncategorized -", ["Action: failed", "Status: 5.0.0"]],
    ["permanent InvalidRecipient - suppressed", ["Action: error", "Status: 5.1.1"]],
    ["permanent InvalidRecipient - suppressed", ["Action: undeliverable", "Status: 5.1.1"]],
    [
      "permanent InvalidRecipient - suppressed",
      ["Action: rejected (no such user)", "Status: 5.1.1"],
    ],
    ["permanent InvalidRecipient - suppressed", ["Action: x-gone", "Status: 5.1.1"]],
    ["nothing", ["Action: x-gone", "Status: 4.1.1"]],
    ["nothing", ["Action: expanded", "Status: 5.1.1"]],
    ["nothing", ["Status: 4.1.1"]],
    ["nothing", ["Action: delayed", "Status: 5.1.1"]],
    ["nothing", ["Action: failed", "Status: 2.0.0"]],
    ["nothing", ["Action: relayed", "Status: 5.1.1"]],
    ["nothing", ["Action:", "Status: 4.0.0"]],
    [
      "permanent InvalidRecipient 550 suppressed",
      ["Action: failed", "Status: 5.0.0", "Diagnostic-Code: smtp; 550 5.1.1 nobody"],
    ],
    [
      "permanent InvalidRecipient 550 suppressed",
      ["Action: failed", "Status: 5.1.1", "Diagnostic-Code: smtp;550 nobody"],
    ],
    [
      "permanent InvalidRecipient 550 suppressed",
      ["Action: failed", "Diagnostic-Code: SMTP; 550-5.1.1 User\r\n 550 5.1.1 unknown"],
    ],
    [
      "permanent InvalidRecipient 550 suppressed",
      [
        "Action: failed",
        "Diagnostic-Code: X-Postfix; host mx[192.0.2.1] said: 550 5.1.1 User unknown",
      ],
    ],
    [
      "transient QuotaIssues 452",
      ["Action: failed", "Status: 5.2.2", "Diagnostic-Code: smtp; 452 4.2.2 Mailbox full"],
    ],
    [
      "transient InvalidRecipient 550",
      ["Action: failed", "Status: 4.4.7", "Diagnostic-Code: smtp; 550 User unknown"],
    ],
    [
      "permanent SpamBlock 554",
      [
        "Action: failed",
        "Status: 5.7.1",
        "Diagnostic-Code: smtp; 554 5.7.1 blocked using zen.spamhaus.org",
      ],
    ],
    [
      "permanent AuthenticationFailed 550",
      ["Action: failed", "Status: 5.7.26", "Diagnostic-Code: smtp; 550 5.7.26 DMARC"],
    ],
  ])("is %s: %j", (outcome, fields) => {
    expect(outcomeOf(report(ours, ...fields))).toBe(outcome);
  });

  it("is the failure when a recipient has several", () => {
    expect(outcomeOf(report(ours, "Action: delayed", "Status: 4.4.1", "", ours, ...FAILED))).toBe(
      GONE,
    );
    expect(outcomeOf(report(ours, ...FAILED, "", ours, "Action: delivered", "Status: 2.0.0"))).toBe(
      GONE,
    );
  });

  it("may be in another block than its address", () => {
    expect(outcomeOf(report(ours, "", ...FAILED))).toBe(GONE);
    expect(
      outcomeOf(report(ours, "", "Final-Recipient: rfc822;bob@example.com", "", ...FAILED)),
    ).toBe("nothing");
  });
});
