// Tests how the recipients of a send are read from addresses as people write them
// (src/mail/accept/recipients.ts).
import { describe, expect, it } from "vitest";
import { Findings } from "../../../../src/mail/accept/findings.ts";
import { validateEmail } from "../../../../src/mail/accept/validate-email.ts";

describe("a send", () => {
  it("accepts display names as people write them, without their line breaks", () => {
    const findings = new Findings();
    const email = validateEmail(
      {
        subject: "Hello",
        text: "Hi",
        from: "Acme, Inc. <shop@example.com>",
        to: ["Ann (Sales) <ann@example.org>", "Bob\r\n <bob@exam\r\nple.org>"],
        cc: ["\ncarl@example.org\r\n"],
        bcc: ["[Dora] <dora@example.org>"],
        reply_to: ['"Help\r\n <help@example.com>', "Desk; Help <desk@example.com>"],
      },
      [],
      0,
      findings,
    );
    expect(findings.count).toBe(0);
    expect(email).toMatchObject({
      from: { email: "shop@example.com", name: "Acme, Inc." },
      to: [
        { email: "ann@example.org", name: "Ann (Sales)" },
        { email: "bob@example.org", name: "Bob" },
      ],
      cc: [{ email: "carl@example.org", name: null }],
      envelope: ["ann@example.org", "bob@example.org", "carl@example.org", "dora@example.org"],
      replyTo: [
        { email: "help@example.com", name: "Help" },
        { email: "desk@example.com", name: "Desk; Help" },
      ],
    });
  });
});
