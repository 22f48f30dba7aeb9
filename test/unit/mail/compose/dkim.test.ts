// Tests the DKIM signer on composed and submitted messages: RFC 6376's own examples, which headers
// are signed and oversigned, and that every change breaks a signature.
import { fc } from "../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { signMessage } from "../../../../src/mail/compose/dkim.ts";
import type { Message } from "../../../../src/mail/message.ts";
import {
  ACCEPTED_AT,
  bytesOf,
  composed,
  composedRaw,
  faultsOf,
  fieldsOf,
  latin1,
  signingKey,
  verified,
} from "./fixtures.ts";

const FEEDBACK = { returnPath: "b+x@bounces.example.com", feedbackId: "c1:t1:team_1:post.example" };

async function signed(message: string): Promise<Uint8Array> {
  const { dkim } = await signingKey();
  return signMessage(bytesOf(message), dkim, ACCEPTED_AT);
}

async function verdict(bytes: Uint8Array): Promise<Map<string, string> | string> {
  return verified(bytes, (await signingKey()).publicKey);
}

const HARD: Record<string, string> = {
  "the example of RFC 6376 §3.4.5": "A: X\r\nB : Y\t\r\n\tZ  \r\n\r\n C \r\nD \t E\r\n\r\n\r\n",
  "only blanks in the body": "From: a@example.com\r\n\r\n \r\n\t\r\n",
  "an empty field": "From: a@example.com\r\nSubject:  \r\n \r\n\r\nbody",
  "bare CR and LF": "From: a@example.com\r\n\r\na \r b\n\xe9\xa0\t\r\r\n",
  "no body": "From: a@example.com\r\nSubject: x\r\n\r\n",
  "no blank line": "From: a@example.com\r\nSubject: x",
  "no header": "\r\nbody\r\n",
  "blank lines at the end": "From: a@example.com\r\n\r\nbody \t\r\n\r\n\t\r\n\r\n",
  "no line end at the end": "From: a@example.com\r\n\r\nbody",
  "folded fields":
    "From: a@example.com\r\nTo: b@example.org,\r\n\t c@example.org\r\nSubject:\r\n x  y \t z " +
    "\r\n\r\nbody\r\n",
  "blanks around the colon, names in any case":
    "FROM \t:  a@example.com\r\nsUbJeCt:x\r\n\r\nbody\r\n",
  "several fields of one name":
    "To: one@example.org\r\nFrom: a@example.com\r\nTo: two@example.org\r\nSubject: x\r\nTo: " +
    "three@example.org\r\n\r\nbody\r\n",
  "octets beyond ASCII":
    "From: a@example.com\r\nSubject: \xe9\xa0\xff\r\n\r\n\xe9\xa0 \x00\x80\r\n",
  "another signer's signature":
    "DKIM-Signature: v=1; d=other.example; b=abc\r\nFrom: a@example.com\r\n\r\nbody\r\n",
  "a long body": `From: a@example.com\r\n\r\n${"line with  blanks \t\r\n".repeat(2_000)}`,
};

describe("a signature", () => {
  for (const [name, message] of Object.entries(HARD)) {
    it(`verifies and leaves the message after it unchanged: ${name}`, async () => {
      const bytes = await signed(message);
      expect(latin1(bytes).endsWith(`\r\n${message}`)).toBe(true);
      const whole = name === "no blank line" ? bytesOf(`${latin1(bytes)}\r\n\r\n`) : bytes;
      expect(await verdict(whole)).toBeInstanceOf(Map);
      if (whole !== bytes) expect(await verdict(bytes)).not.toBeInstanceOf(Map);
    });
  }

  it("names domain, selector, time and a lifetime of seven days, and has no l= tag", async () => {
    const tags = (await verdict(await composed())) as Map<string, string>;
    const seconds = Math.floor(ACCEPTED_AT / 1_000);
    expect([...tags.keys()]).toEqual(["v", "a", "c", "d", "s", "t", "x", "h", "bh", "b"]);
    const fixed = ["v", "a", "c", "d", "s"].map((tag) => tags.get(tag)).join(" ");
    expect(fixed).toBe("1 rsa-sha256 relaxed/relaxed example.com s1");
    expect([tags.get("t"), tags.get("x")]).toEqual([`${seconds}`, `${seconds + 7 * 24 * 60 * 60}`]);
  });

  describe.each([
    ["a composed message", (message: Partial<Message>) => composed(message, {}, FEEDBACK)],
    [
      "a submitted message",
      (message: Partial<Message>) =>
        composedRaw("From: news@example.com\r\n\r\nHi\r\n", { ...message, feedback: FEEDBACK }),
    ],
  ])("of %s", (_, make) => {
    it("covers the Feedback-ID", async () => {
      const bytes = await make({});
      expect(fieldsOf(bytes).filter(([name]) => /^feedback/i.test(name))).toEqual([
        ["Feedback-ID", FEEDBACK.feedbackId],
      ]);
      expect(faultsOf(bytes)).toEqual([]);
      const tags = (await verdict(bytes)) as Map<string, string>;
      expect(tags.get("h")).toContain(":cfbl-address:cfbl-address:feedback-id:feedback-id:");
      const forged = latin1(bytes).replace(":team_1:", ":team_2:");
      expect(await verdict(bytesOf(forged))).toBe("signature differs");
      const doubled = latin1(bytes).replace("\r\nFeedback-ID", "\r\nFeedback-ID: x\r\n$&");
      expect(await verdict(bytesOf(doubled))).not.toBeInstanceOf(Map);
    });
  });

  it("lists each header once more than it occurs, absent ones included", async () => {
    const bytes = await signed(HARD["several fields of one name"] ?? "");
    const tags = (await verdict(bytes)) as Map<string, string>;
    expect(tags.get("h")).toBe(
      "from:from:to:to:to:to:cc:subject:subject:date:message-id:reply-to:mime-version:content-type:content-transfer-encoding:" +
        "in-reply-to:references:list-unsubscribe:list-unsubscribe-post",
    );
  });

  it("has lines of at most 78 characters", async () => {
    const head = latin1(await composed()).split("\r\nFrom: ")[0] ?? "";
    for (const line of head.split("\r\n")) expect(line.length).toBeLessThanOrEqual(78);
  });

  it("breaks when the body or a signed header is changed, added or removed", async () => {
    const headers: [string, string][] = [
      ["List-Unsubscribe", "<https://example.com/u>"],
      ["List-Unsubscribe-Post", "List-Unsubscribe=One-Click"],
    ];
    const text = latin1(await composed({ headers }));
    const verdictOf = (changed: string) => verdict(bytesOf(changed));
    expect(await verdictOf(text)).toBeInstanceOf(Map);
    const end = text.indexOf("\r\n\r\n");
    const added = (name: string) => `${text.slice(0, end)}\r\n${name}: more${text.slice(end)}`;
    for (const [name] of fieldsOf(bytesOf(text)).slice(1)) {
      const field = new RegExp(`\r\n${name}: `);
      expect(await verdictOf(added(name)), `${name} added`).toBe("signature differs");
      for (const change of ["$&x", "\r\nX-Gone: "])
        expect(await verdictOf(text.replace(field, change)), name).toBe("signature differs");
    }
    for (const name of ["Cc", "Reply-To", "In-Reply-To", "References"])
      expect(await verdictOf(added(name)), `${name} added`).toBe("signature differs");
    expect(await verdict(bytesOf(`${text}more\r\n`))).toBe("body hash differs");
  });

  it("verifies on any header and any body", async () => {
    const line = fc.string({
      unit: fc.constantFrom(" ", "\t", "a", ":", "\xe9", "\0", "=", ";", "\r\n ", "\r\n\t"),
      maxLength: 40,
    });
    const name = fc.constantFrom("From", "to", "Subject", "X-A", "CC ", "Date\t");
    const body = fc.string({
      unit: fc.constantFrom(" ", "\t", "\r\n", "a", "\xff"),
      maxLength: 80,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(name, line), { minLength: 1, maxLength: 8 }),
        body,
        async (fields, text) => {
          const bytes = await signed(
            `${fields.map(([key, value]) => `${key}:x${value}\r\n`).join("")}\r\n${text}`,
          );
          expect(await verdict(bytes)).toBeInstanceOf(Map);
        },
      ),
    );
  });
});
