// Tests how the content of an answer is read: its own text, the quotation, and whether a person
// wrote it. No line is lost, and no mail takes more than linear time.
import { describe, expect, it } from "vitest";
import { isAutomatic } from "../../../../../src/mail/feedback/replies/automatic-mail.ts";
import { cutQuotation } from "../../../../../src/mail/feedback/replies/cut-quotation.ts";
import { PartScanner } from "../../../../../src/mail/feedback/replies/part-scanner.ts";
import {
  filesOf,
  readReplyContent,
} from "../../../../../src/mail/feedback/replies/reply-content.ts";
import { readAuthor } from "../../../../../src/mail/feedback/replies/reply-facts.ts";
import { RETURNED } from "../returned.ts";
import { fc } from "../../../../support/properties.ts";
import { AUTOMATIC_FORMS } from "./automatic-forms.ts";
import { ANSWERS, QUOTED, SHAPES } from "./quotation-shapes.ts";

/** Scans a mail in chunks of that many bytes. */
function scan(mail: string, chunk = 1_000_000): PartScanner {
  const scanner = new PartScanner();
  const bytes = new TextEncoder().encode(mail.replaceAll(/\r?\n/g, "\r\n"));
  for (let at = 0; at < bytes.length; at += chunk) scanner.feed(bytes.subarray(at, at + chunk));
  scanner.finish();
  return scanner;
}

/** A note with a header like a person's, so that only its words show that a rule wrote it. */
const HIDDEN = "GroupWise rule";
const INTRO = "On 5 May 2026, Ann <a@x.example> wrote:";
const FORWARDED = "FYI\n\n---------- Forwarded message ---------\nFrom: a\nTo: b";

const contentOf = (mail: string) => readReplyContent(scan(mail).parts);
const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .toSorted();

describe("a quotation", () => {
  it.each(SHAPES)("of $program is cut off every answer in five languages", ({ intros, marked }) => {
    const quoted = QUOTED.map((line) => (marked ? `> ${line}` : line)).join("\n");
    for (const intro of intros)
      for (const answer of ANSWERS) {
        const whole = `${answer}\n\n${intro}\n${quoted}\n`;
        const cut = cutQuotation(whole);
        expect([intro, cut.text]).toEqual([intro, answer]);
        expect(linesOf(`${cut.text}\n${cut.quoted}`)).toEqual(linesOf(whole));
      }
  });

  it.each([
    ["below the answer and above more of the answer", `A\n${INTRO}\n> q\nB`, "A\nB"],
    ["above the answer", `${INTRO}\n> q\n\nA`, "A"],
    ["between answers", "> q1\nA\n> q2\nB", "> q1\nA\n> q2\nB"],
    ["of which only the last is not answered", "> q1\nA\n\n> q2\n> q3\n", "> q1\nA"],
    ["that a person forwards", FORWARDED, FORWARDED],
    ["that is all of the mail", "> q", ""],
    [
      "whose attribution is on the answer's line",
      "A On Wed, Apr 4, 2012 at 3:59 PM, bob@x.example wrote:\n> q",
      "A",
    ],
    ["after a signature", `A\n-- \nBob\n+1 555\n\n${INTRO}\n> q`, "A"],
  ])("%s is cut off, or stays because the answer needs it", (_, whole, text) => {
    const cut = cutQuotation(whole);
    expect(cut.text).toBe(text);
    expect(linesOf(`${cut.text}\n${cut.quoted}`).join(" ")).toHaveLength(
      linesOf(whole).join(" ").length,
    );
  });

  it("loses no line of any text", () => {
    const line = fc.oneof(
      fc.constantFrom(
        ...(
          "> a|>> b||On 1 May 2026, a@b.example wrote:|-- |From: a@b.example|Sent: 1|" +
          "___________|Sent from my iPhone"
        ).split("|"),
      ),
      fc.string({ maxLength: 12 }).map((text) => text.replace(/[\n\r]/g, "")),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const { text, quoted } = cutQuotation(lines.join("\n"));
        expect(linesOf(`${text}\n${quoted}`)).toEqual(linesOf(lines.join("\n")));
      }),
    );
  });
});

const ALTERNATIVE = `Subject: Re
Content-Type: multipart/mixed; boundary="out er"

preamble
--out er
Content-Type: multipart/alternative; boundary=in

--in
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Gr=FC=DFe=
, Bob
--in
Content-Type: text/html

<p>Hi</p>
--in--
--out er
Content-Type: application/pdf; name="=?utf-8?Q?Gr=C3=BC=C3=9Fe=2Epdf?="
Content-Transfer-Encoding: base64
Content-ID: <a@b>

QUJD
RA==
--out er--
epilogue
`;

describe("a scanned mail", () => {
  it("is the same whatever its chunks", () => {
    const whole = scan(ALTERNATIVE);
    expect(readReplyContent(whole.parts)).toEqual({
      text: "Grüße, Bob",
      quoted: "",
      html: "<p>Hi</p>",
    });
    expect(filesOf(whole.parts)).toMatchObject([
      { filename: "Grüße.pdf", contentType: "application/pdf", contentId: "a@b", size: 4 },
    ]);
    for (const chunk of [1, 7, 64]) expect(scan(ALTERNATIVE, chunk).parts).toEqual(whole.parts);
  });

  it.each([
    [
      "Gmail",
      '<div dir="ltr">Yes</div><br><div class="gmail_quote"><div class="gmail_attr">On Tue wrote:<br></div><blockquote>q</blockquote></div>',
    ],
    [
      "Outlook",
      '<div>Yes</div><hr><div id="divRplyFwdMsg"><b>From:</b> Ann &lt;a@x.example&gt;<br><b>Sent:</b> Tuesday<br><b>To:</b> Bob</div><div>q</div>',
    ],
    [
      "Apple Mail",
      '<html><body>Yes<br><blockquote type="cite"><div>On 5 May 2026, at 10:00, Ann wrote:</div><div>q</div></blockquote></body></html>',
    ],
  ])("with only the HTML of %s has a text without the quotation", (_, html) => {
    const { text, quoted } = contentOf(`Content-Type: text/html\n\n${html}\n`);
    expect([text, quoted.includes("q")]).toEqual(["Yes", true]);
  });

  it("is read to its limits and no further", () => {
    expect(scan(`X: ${"y\n ".repeat(40_000)}\n\nhi`).isHeaderTooLong).toBe(true);
    const deep = Array.from(
      { length: 300 },
      (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\n\n--b${at}\n`,
    );
    expect(scan(deep.join("")).parts.length).toBeLessThan(3);
    const many = `Content-Type: multipart/mixed; boundary=b\n\n${"--b\n\nx\n".repeat(5_000)}`;
    expect(scan(many).parts).toHaveLength(100);
    const long = contentOf(`\n${"x".repeat(3_000_000)}`);
    expect(long.text.length).toBeLessThan(1_200_000);
  });
});

describe("an answer", () => {
  const automatic = (fields: string, isSenderNull = false, email = "ann@x.example") =>
    isAutomatic({
      header: scan(`${fields}\n\nhi`).header ?? [],
      author: { email, name: null },
      isSenderNull,
      text: "hi",
      answered: "Verify your email",
    });

  it("in any of 200 forms of programs and mail servers is automatic", () => {
    const forms = [
      ...AUTOMATIC_FORMS,
      ["encoded", "Subject: =?utf-8?Q?R=C3=A9ponse_automatique_=3A_Hi?="] as const,
    ].map(([name, ...fields]) => ({ name, isTold: !automatic(fields.join("\n")) }));
    const notices = RETURNED.filter(({ file }) => file === "no-bounces.txt");
    const last = notices.findIndex(({ name }) => name === "a help desk");
    const notes = notices.slice(0, last + 1).filter(({ name }) => name !== HIDDEN);
    const mails = [
      ...RETURNED.filter(({ file, isBounce }) => isBounce && file !== "machine-reports.txt"),
      ...notes,
    ].map(({ name, text }) => {
      const { header = [], parts } = scan(text);
      const author = readAuthor(header);
      const own = { header, author, text: readReplyContent(parts).text, answered: "Hi" };
      const isSenderNull = text.includes("Return-Path: <>");
      return { name, isTold: !isAutomatic({ ...own, isSenderNull }) };
    });
    const all = [...forms, ...mails];
    expect(all.filter(({ isTold }) => isTold).map(({ name }) => name)).toEqual([]);
    expect(all.length).toBeGreaterThanOrEqual(200);
  });

  it("of a null sender or a program's address is automatic, and a person's is not", () => {
    expect(automatic("Subject: Re: Hi", true)).toBe(true);
    expect(automatic("Subject: Re: Hi", false, "MAILER-DAEMON@x.example")).toBe(true);
    for (const fields of [
      "Subject: Re: Your vacation",
      "Subject: Verify your email",
      "Auto-Submitted: no",
      "Precedence: first",
    ])
      expect([fields, automatic(fields)]).toEqual([fields, false]);
  });
});
