// Tests the From of submitted messages: a hostile header is refused, or every mail reader sees
// exactly the sender that the service checked. test/fixtures/headers/hostile.txt has further forms.
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { acceptMessage, judgeMessage, octets, OWNED } from "./submissions.ts";

const ME = `me@${OWNED}`;
const BOSS = "boss@bank.example";
const BODY = "From: body@elsewhere.example";
const REST = `To: ann@example.org\r\nSubject: Hi\r\n\r\n${BODY}\r\n`;

/** Encodes a text in UTF-8. The result has one character for each octet. */
const utf8 = (text: string) =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
const words = (text: string) => `=?utf-8?B?${btoa(utf8(text))}?=`;

const HOSTILE: readonly (readonly [name: string, header: string])[] = [
  ["a blank From", "From:  \t \r\n"],
  ["an empty line at the top", `\r\nFrom: ${ME}\r\n`],
  ["a bare LF that opens a From", `X-A: b\nFrom: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a NUL before a From", `\0From: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a NUL inside the address", `From: ${BOSS}\0, ${ME}\r\n`],
  ["two addresses parted by a semicolon", `From: ${ME}; ${BOSS}\r\n`],
  ["two addresses parted by a space", `From: ${BOSS} ${ME}\r\n`],
  ["a second address in the folded line", `From: ${ME}\r\n <${BOSS}>\r\n`],
  ["a foreign address before the folded one", `From: ${BOSS}\r\n <${ME}>\r\n`],
  ["a leading comma", `From: ,${ME}\r\n`],
  ["a comment before the address", `From: (${BOSS}) ${ME}\r\n`],
  ["an unclosed comment", `From: (<${BOSS}> ${ME}\r\n`],
  ["an unclosed quote", `From: "x <${BOSS}> <${ME}>\r\n`],
  ["an escaped quote that seems to close", `From: "x\\" <${BOSS}>, " <${ME}>\r\n`],
  ["an encoded name with an address", `From: ${words(`The Boss <${BOSS}>`)} <${ME}>\r\n`],
  ["an encoded foreign address with a NUL behind it", `From: ${words(`${BOSS}\0`)} <${ME}>\r\n`],
  ["an encoded NUL", `From: =?utf-8?Q?x=00?= <${ME}>\r\n`],
  ["an address over two words", `From: =?utf-8?Q?boss=40?= =?utf-8?Q?bank.example?= <${ME}>\r\n`],
  ["an address half encoded", `From: =?utf-8?Q?boss=40?=bank.example <${ME}>\r\n`],
  ["an encoded word in quotes", `From: "${words(BOSS)}" <${ME}>\r\n`],
  ["a foreign address in quotes with brackets", `From: "The Boss <${BOSS}>" <${ME}>\r\n`],
  ["a foreign address with quoted characters", `From: "b\\o\\s\\s\\@bank.example" <${ME}>\r\n`],
  ["a full-width at sign", `From: ${words("boss＠bank.example")} <${ME}>\r\n`],
  ["a small at sign", `From: ${words("boss﹫bank.example")} <${ME}>\r\n`],
  ["an ideographic full stop", `From: ${words("boss@bank。example")} <${ME}>\r\n`],
  ["a zero-width space in an address", `From: ${words("boss@\u200bbank.example")} <${ME}>\r\n`],
  ["a right-to-left override", `From: ${words("\u202eelpmaxe.knab@ssob")} <${ME}>\r\n`],
  ["an isolate", `From: ${words("\u2067x\u2069")} <${ME}>\r\n`],
  ["a raw full-width at sign", `From: ${utf8("boss＠bank.example")} <${ME}>\r\n`],
  ["a local part with a full-width at sign", `From: ${utf8("boss＠bank.example")}@${OWNED}\r\n`],
  ["a local part with a right-to-left override", `From: ${utf8("\u202eelpmaxe")}@${OWNED}\r\n`],
  ["10,000 characters", `From: ${"a".repeat(900)}\r\n ${"b ".repeat(4_500)}<${ME}>\r\n`],
];

/**
 * Headers with tricks in other fields and lines than From. The message is accepted. The mailed copy
 * has one unambiguous From.
 */
const MENDED: readonly (readonly [name: string, header: string])[] = [
  ["a tab before the name, at the top", `\tFrom: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a quoted mailbox line at the top", `>From ${BOSS} Mon Jan  1 00:00:00 2026\r\nFrom: ${ME}\r\n`],
  ["a vertical tab that opens a From", `X-A: b\x0bFrom: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a leading vertical tab", `X-A:\x0bFrom: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a file separator that opens a From", `X-A: b\x1cFrom: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a next-line character", `X-A: b${utf8("\u0085")}From: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a line separator that opens a From", `X-A: b${utf8("\u2028")}From: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a paragraph separator", `X-A: b${utf8("\u2029")}From: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a line without a colon before the From", `nonsense\r\nFrom: ${ME}\r\n`],
  ["a line without a colon after the From", `From: ${ME}\r\nnonsense\r\n`],
  ["a line that begins with a colon", `: x\r\nFrom: ${ME}\r\n`],
  ["an encoded word that is no UTF-8", `From: =?utf-8?Q?=FF=FE?= <${ME}>\r\n`],
];

/**
 * Returns the senders that a simple mail reader might show: those in the first and in the last From
 * line.
 */
function naiveSenders(content: string): string[] {
  const header = content.slice(0, content.indexOf("\r\n\r\n"));
  return Array.from(
    header
      .replace(/\r\n[ \t]+/g, " ")
      .matchAll(/^[ \t]*(?:resent-)?(?:from|sender)[ \t]*:(.*)$/gim),
    ([, value = ""]) => value,
  );
}

describe("a hostile From", () => {
  it.each(HOSTILE)("is refused: %s", (_, header) => {
    const judged = judgeMessage(header + REST);
    expect(judged).toMatchObject({ kind: "refused", status: 400 });
    const paths = judged.kind === "refused" ? Object.keys(judged.errors) : [];
    expect(paths.filter((path) => path !== "from" && path !== "headers")).toEqual([]);
  });

  it.each(MENDED)("shows the same sender after it is rewritten: %s", async (_, header) => {
    const { message, content } = acceptMessage(header + REST);
    expect(message.from.email).toBe(ME);
    expect((await PostalMime.parse(octets(content))).from?.address).toBe(ME);
    expect(naiveSenders(content)).toHaveLength(1);
    expect(
      content.split(/[\p{Cc}\u2028\u2029]+/u).filter((line) => /^\s*from\b/i.test(line)),
    ).toEqual([expect.stringContaining(ME), BODY]);
  });

  it.each([
    `Sender: ${BOSS}`,
    `Resent-From: ${BOSS}`,
    `Resent-Sender: ${BOSS}`,
    `Resent-Bcc: ${BOSS}`,
    `Return-Path: <${BOSS}>`,
    `Authentication-Results: mx; dkim=pass header.i=${BOSS}`,
    "DKIM-Signature: v=1; d=bank.example",
    "ARC-Seal: i=1; d=bank.example",
    "Received: from bank.example by mx",
    "BIMI-Selector: v=BIMI1; s=bank.example",
    `X-Google-Original-From: ${BOSS}`,
    `Disposition-Notification-To: ${BOSS}`,
    `SENDER:
 ${BOSS}`,
  ])("is not helped by the field %s, which is removed", (line) => {
    expect(acceptMessage(`From: ${ME}\r\n${line}\r\n${REST}`).content).not.toContain(
      "bank.example",
    );
  });

  it("loses blank lines that a reader could take for the header's end", () => {
    expect(acceptMessage(`From: ${ME}\r\n \t\r\n\t\r\n${REST}`).content).toContain(
      `From: ${ME}\r\nTo: ann@example.org\r\n`,
    );
  });
});

describe("an honest From", () => {
  it.each([
    [ME, null],
    [`<${ME}>`, null],
    [`Me <${ME}>`, "Me"],
    [`Me Myself <${ME}>`, "Me Myself"],
    [`"Me, Myself" <${ME}>`, "Me, Myself"],
    [`"Me \\"I\\" Myself" <${ME}>`, 'Me "I" Myself'],
    [`J. R. Me <${ME}>`, "J. R. Me"],
    [`\r\n ${ME}`, null],
    [`Me\r\n\t<${ME}>`, "Me"],
    [`${words("Zoë")} <${ME}>`, "Zoë"],
    [`=?iso-8859-1?Q?Zo=EB?= =?utf-8?Q?_M=C3=AB?= <${ME}>`, "Zoë Më"],
    [`"${words("Zoë")}" <${ME}>`, "Zoë"],
    [`${utf8("Zoë 李雷")} <${ME}>`, "Zoë 李雷"],
    [`"${utf8("Zoë, Ünal")}" <${ME}>`, "Zoë, Ünal"],
    [`Sales @ Shop <${ME}>`.replace("@", "at"), "Sales at Shop"],
    [`"Sales @ Shop" <${ME}>`, "Sales @ Shop"],
    [`"sales@${OWNED}" <${ME}>`, `sales@${OWNED}`],
    [`"news@mail.${OWNED}" <${ME}>`, `news@mail.${OWNED}`],
    [`"me"@${OWNED}`, null],
    [`me@${OWNED.toUpperCase()}`, null],
    [`"" <${ME}>`, null],
  ])("is taken and kept as it was written: %s", async (value, name) => {
    const { message, content } = acceptMessage(`From: ${value}\r\n${REST}`);
    expect(message.from).toEqual({ email: ME, name });
    expect(message.fromDomain).toBe(OWNED);
    expect(content).toContain(`\r\nFrom: ${value}\r\n`);
    expect((await PostalMime.parse(content)).from?.address?.toLowerCase()).toBe(ME);
  });

  it("may be beyond ASCII: it stays as written, and is compared in normal form", () => {
    const sender = utf8("Jo\u0308rg <jo\u0308rg@Bücher.example>");
    const { message, content } = acceptMessage(`From: ${sender}\r\n${REST}`);
    expect(message.from).toEqual({ email: "jörg@xn--bcher-kva.example", name: "Jo\u0308rg" });
    expect(message.fromDomain).toBe("xn--bcher-kva.example");
    expect(content).toContain(`From: ${sender}\r\n`);
  });
});
