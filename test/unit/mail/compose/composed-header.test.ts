// Tests the header of a composed message (RFC 5322, RFC 2047): subject, display names and the other
// fields, whatever their strings hold.
import PostalMime, { decodeWords } from "postal-mime";
import { describe, expect, it } from "vitest";
import { composed, faultsOf, fieldsOf, latin1, namesOf } from "./fixtures.ts";

const EMOJI = "👩‍👩‍👧‍👦";

const SUBJECTS: Record<string, string> = {
  plain: "Your order has shipped",
  accented: "Grüße aus Köln",
  "one accented word among many":
    "The quick brown fox jumps over the lazy dog near the café and goes on for a while after " +
    "that, twice",
  "998 emoji": "😀".repeat(998),
  "998 letters without a space": "a".repeat(998),
  "998 letters with spaces": "word ".repeat(200).slice(0, 998).trim(),
  "families joined by zero width joiners": EMOJI.repeat(30),
  Chinese: "您的订单已发货，请注意查收。".repeat(12),
  Arabic: "تم شحن طلبك اليوم وسيصل غدا",
  "double spaces": "a  b   c",
  "spaces at both ends": "  x  ",
  "only spaces": " ".repeat(300),
  "text like an encoded word": "=?utf-8?Q?not_me?= and =?",
  "a long link": `See https://example.com/${"path/".repeat(60)} now`,
  "question marks and equals signs": "a=b?c=d ?= ?_",
  "underscores and spaces around accents": "é_ a_é _ é",
  quotes: 'He said "no", she said \\"yes\\"',
  "a no-break space": "10\u00a0000 €",
  "an accent at the end": "naïve é",
};

describe("the subject", () => {
  for (const [name, subject] of Object.entries(SUBJECTS)) {
    it(`decodes to the given text: ${name}`, async () => {
      const bytes = await composed({ subject });
      expect(faultsOf(bytes)).toEqual([]);
      const raw = new Map(fieldsOf(bytes)).get("Subject") ?? "";
      expect(decodeWords(raw)).toBe(subject);
    });
  }

  it("keeps its ASCII words readable, and encodes the others in the shorter encoding", async () => {
    const subject = "Your invoice: café and twelve other things, née Smith. Thank you";
    expect((await fieldsWith({ subject })).get("Subject")).toBe(
      "Your invoice: =?utf-8?Q?caf=C3=A9_and_twelve_other_things=2C_n=C3=A9e?= Smith. Thank you",
    );
  });

  it("replaces a lone surrogate", async () => {
    const fields = await fieldsWith({ subject: "a\ud83d b" });
    expect(decodeWords(fields.get("Subject") ?? "")).toBe("a\ufffd b");
  });
});

/** Composes a message, and returns its header fields by name. */
const fieldsWith = async (message: Parameters<typeof composed>[0] = {}) =>
  new Map(fieldsOf(await composed(message)));

const NAMES: Record<string, string> = {
  plain: "Ann Example",
  "with a comma": "Example, Ann",
  "with quotes and backslashes": 'Ann "the \\ \\" Boss" Example',
  "with angle brackets": "Ann <boss@example.net>",
  "with dots": "Dr. A. N. Example",
  accented: "Zoë Müller",
  "accented, with specials": "Müller, Zoë (Köln) <z@example.net>",
  Japanese: "山田太郎、営業部長",
  emoji: `Team ${EMOJI.repeat(20)}`,
  "200 letters": "n".repeat(200),
  "200 letters with commas": "name, ".repeat(40).trim(),
  "text like an encoded word": "=?utf-8?B?QUJD?=",
  "an address": "ann@example.net",
  "an apostrophe": "O'Hara",
  "a group's syntax": "Team: a@example.net, b@example.net;",
};

describe("a display name", () => {
  for (const [name, display] of Object.entries(NAMES)) {
    it(`decodes to the given name in every address header: ${name}`, async () => {
      const mailbox = { email: "ann@example.org", name: display };
      const other = { email: "bob@example.org", name: null };
      const bytes = await composed({
        from: mailbox,
        to: [mailbox, other, mailbox],
        cc: [other, mailbox],
        replyTo: [mailbox, mailbox],
      });
      expect(faultsOf(bytes)).toEqual([]);
      const ann = { name: display, address: "ann@example.org" };
      const bob = { name: "", address: "bob@example.org" };
      const read = { from: ann, to: [ann, bob, ann], cc: [bob, ann], replyTo: [ann, ann] };
      expect(await PostalMime.parse(bytes)).toMatchObject(read);
    });
  }
});

describe("the header", () => {
  it("has each field once, in order, and no trace of Bcc", async () => {
    const bytes = await composed({
      cc: [{ email: "cc@example.org", name: null }],
      replyTo: [{ email: "reply@example.com", name: null }],
      recipients: ["ann@example.org", "cc@example.org", "secret@example.net"],
      headers: [["X-Campaign", "spring"]],
    });
    expect(namesOf(bytes)).toBe(
      "DKIM-Signature From To Cc Reply-To Subject Date Message-ID MIME-Version X-Campaign " +
        "Content-Type Content-Transfer-Encoding",
    );
    expect(latin1(bytes)).not.toContain("secret@example.net");
  });

  it("has the time of acceptance as its Date", async () => {
    const fields = await fieldsWith();
    expect(fields.get("Date")).toBe("Thu, 09 Jul 2026 08:07:06 +0000");
    expect(fields.get("Message-ID")).toBe("<0197e3a0-5b1f-7c2d-8e4f-112233445566@example.com>");
  });

  it("folds fifty recipients without losing one", async () => {
    const to = Array.from({ length: 50 }, (_, index) => ({
      email: `person.${index}@example.org`,
      name: index % 3 ? `Persön ${index}` : "Someone, Else",
    }));
    const bytes = await composed({ to });
    expect(faultsOf(bytes)).toEqual([]);
    expect((await PostalMime.parse(bytes)).to).toEqual(
      to.map(({ email, name }) => ({ name, address: email })),
    );
  });

  it("lists addresses one by one, even if their local parts need quotes", async () => {
    const to = [
      { email: '"a b,<c>"@example.org', name: null },
      { email: '"quo\\"te"@example.org', name: "Q" },
      { email: "o'hara+tag@example.org", name: null },
    ];
    const raw = (await fieldsWith({ to })).get("To");
    expect(raw).toBe(`"a b,<c>"@example.org, Q <"quo\\"te"@example.org>, o'hara+tag@example.org`);
  });

  it("keeps an ASCII custom header as it was written", async () => {
    const links = "<https://example.com/u/abc?x=1&y=%20>, <mailto:u@example.com?subject=off>";
    const json = '{"a":"  b","c":[1, 2]} =?x';
    const fields = await fieldsWith({
      headers: [
        ["List-Unsubscribe", links],
        ["X-Json", json],
        ["X-Empty", ""],
      ],
    });
    expect(fields.get("List-Unsubscribe")).toBe(links);
    expect(fields.get("X-Json")).toBe(json);
    expect(fields.get("X-Empty")).toBe("");
  });

  it("encodes custom text beyond ASCII as encoded words, and links as ASCII links", async () => {
    const fields = await fieldsWith({
      headers: [
        ["List-Id", "Zoë's list <zoe.example.com>"],
        ["List-Help", "<https://example.com/hilfe/ü>"],
      ],
    });
    expect(fields.get("List-Id")).toBe("=?utf-8?B?Wm/Dqydz?= list <zoe.example.com>");
    expect(fields.get("List-Help")).toBe("<https://example.com/hilfe/%C3%BC>");
  });

  it("folds custom headers of any length to lines of at most 998 characters", async () => {
    const ids = Array.from({ length: 200 }, (_, index) => `<id-${index}@example.com>`);
    const references = ids.join(" ");
    const link = `<https://example.com/${"x".repeat(3_000)}>`;
    const name = `X-${"n".repeat(76)}`;
    const headers: [string, string][] = [
      ["References", references],
      ["List-Unsubscribe", link],
      ["X-Long", "y".repeat(3_000)],
      ["X-Link", link],
      [name, "é".repeat(500)],
      ["X-Gap", `a${" ".repeat(2_000)}b`],
    ];
    const bytes = await composed({ headers });
    expect(faultsOf(bytes)).toEqual([]);
    const fields = new Map(fieldsOf(bytes));
    expect(fields.get("References")).toBe(references);
    expect(fields.get("List-Unsubscribe")?.replaceAll(" ", "")).toBe(link);
    expect(decodeWords(fields.get("X-Long") ?? "")).toBe("y".repeat(3_000));
    expect(decodeWords(fields.get("X-Link") ?? "")).toBe(link);
    expect(decodeWords(fields.get(name) ?? "")).toBe("é".repeat(500));
    expect(decodeWords(fields.get("X-Gap") ?? "")).toBe(`a${" ".repeat(2_000)}b`);
  });

  it("leaves out custom headers with a reserved or invalid name", async () => {
    const headers: [string, string][] = [
      ["Bcc", "x@example.net"],
      ["SUBJECT", "other"],
      ["Content-Type", "text/x"],
      ["DKIM-Signature", "v=1"],
      ["X Bad", "1"],
      ["X-Bad:y\r\nBcc", "1"],
      ["", "1"],
      ["Content-Language", "de"],
    ];
    expect(namesOf(await composed({ headers }))).toBe(
      "DKIM-Signature From To Subject Date Message-ID MIME-Version Content-Language Content-Type " +
        "Content-Transfer-Encoding",
    );
  });
});
