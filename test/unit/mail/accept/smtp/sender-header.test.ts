// Tests the From of submitted messages: a hostile header is refused, or every mail reader sees
// exactly the sender that the service checked.
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { acceptMessage, judgeMessage, octets, OWNED, problemOf } from "./submissions.ts";

const ME = `me@${OWNED}`;
const BOSS = "boss@bank.example";
const BODY = "From: body@elsewhere.example";
const REST = `To: ann@example.org\r\nSubject: Hi\r\n\r\n${BODY}\r\n`;

/** Encodes a text in UTF-8. The result has one character for each octet. */
const utf8 = (text: string) =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
const words = (text: string) => `=?utf-8?B?${btoa(utf8(text))}?=`;

const HOSTILE: readonly (readonly [name: string, header: string])[] = [
  ["no From", "Reply-To: a@b.example\r\n"],
  ["an empty From", "From:\r\n"],
  ["a blank From", "From:  \t \r\n"],
  ["a foreign second From", `From: ${ME}\r\nFrom: ${BOSS}\r\n`],
  ["a foreign first From", `From: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["the same From twice", `From: ${ME}\r\nFrom: ${ME}\r\n`],
  ["a second From in capitals", `From: ${ME}\r\nFROM: ${BOSS}\r\n`],
  ["a second From in mixed case", `fRoM: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a From far below", `From: ${ME}\r\n${"X-A: b\r\n".repeat(20)}From: ${BOSS}\r\n`],
  ["a space before the colon", `From : ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a tab before the colon", `From\t: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["only a From with a space before the colon", `From : ${ME}\r\n`],
  ["an empty line at the top", `\r\nFrom: ${ME}\r\n`],
  ["a bare LF that opens a From", `X-A: b\nFrom: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a bare CR that opens a From", `X-A: b\rFrom: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a NUL inside the name of a From", `Fr\0om: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a NUL before a From", `\0From: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a NUL inside the address", `From: ${BOSS}\0, ${ME}\r\n`],
  ["an escape sequence", `From: \x1b[2K${BOSS} <${ME}>\r\n`],
  ["a backspace", `From: x\x08 <${ME}>\r\n`],
  ["a DEL", `From: x\x7f <${ME}>\r\n`],
  ["two addresses", `From: ${ME}, ${BOSS}\r\n`],
  ["two addresses, the foreign one first", `From: ${BOSS}, ${ME}\r\n`],
  ["two addresses in brackets", `From: <${ME}>, <${BOSS}>\r\n`],
  ["two addresses parted by a semicolon", `From: ${ME}; ${BOSS}\r\n`],
  ["two addresses parted by a space", `From: ${BOSS} ${ME}\r\n`],
  ["two bracketed addresses without a comma", `From: <${BOSS}> <${ME}>\r\n`],
  ["a bracketed address inside the name", `From: "x" <${BOSS}> <${ME}>\r\n`],
  ["an address as the name", `From: ${BOSS} <${ME}>\r\n`],
  ["a second address in the folded line", `From: ${ME}\r\n <${BOSS}>\r\n`],
  ["a foreign address before the folded one", `From: ${BOSS}\r\n <${ME}>\r\n`],
  ["a fold inside the address", `From: boss@bank\r\n .example <${ME}>\r\n`],
  ["a trailing comma", `From: ${ME},\r\n`],
  ["a leading comma", `From: ,${ME}\r\n`],
  ["a group", `From: Staff: ${ME};\r\n`],
  ["a group with a foreign member", `From: Staff: ${BOSS}, ${ME};\r\n`],
  ["an empty group", "From: Staff:;\r\n"],
  ["a comment after the address", `From: ${ME} (${BOSS})\r\n`],
  ["a comment before the address", `From: (${BOSS}) ${ME}\r\n`],
  ["a comment inside the address", `From: me(${BOSS})@${OWNED}\r\n`],
  ["an unclosed comment", `From: (<${BOSS}> ${ME}\r\n`],
  ["a route", `From: <@bank.example:${ME}>\r\n`],
  ["an unclosed bracket", `From: <${ME}\r\n`],
  ["an unopened bracket", `From: ${ME}>\r\n`],
  ["brackets in brackets", `From: <<${ME}>>\r\n`],
  ["an unclosed quote", `From: "x <${BOSS}> <${ME}>\r\n`],
  ["an escaped quote that seems to close", `From: "x\\" <${BOSS}>, " <${ME}>\r\n`],
  ["a quoted local part that holds an address", `From: "${BOSS}"@${OWNED}\r\n`],
  ["a quoted local part that holds brackets", `From: "<${BOSS}>"@${OWNED}\r\n`],
  ["a quoted local part with a space", `From: "me boss"@${OWNED}\r\n`],
  ["two at signs", `From: ${BOSS}@${OWNED}\r\n`],
  ["a domain literal", "From: me@[192.0.2.1]\r\n"],
  ["a single-label domain", "From: me@localhost\r\n"],
  ["an encoded word as the local part", `From: =?utf-8?Q?boss=40bank.example=00?=@${OWNED}\r\n`],
  ["an encoded word as the address", `From: ${words(BOSS)}\r\n`],
  ["encoded brackets as the address", `From: ${words(`<${BOSS}>`)}\r\n`],
  ["an encoded foreign address as the name", `From: ${words(BOSS)} <${ME}>\r\n`],
  ["an encoded name with an address", `From: ${words(`The Boss <${BOSS}>`)} <${ME}>\r\n`],
  ["an encoded foreign address with a NUL behind it", `From: ${words(`${BOSS}\0`)} <${ME}>\r\n`],
  ["an encoded line break", `From: ${words(`x\r\nFrom: ${BOSS}`)} <${ME}>\r\n`],
  ["an encoded LF", `From: =?utf-8?Q?x=0AFrom:_y?= <${ME}>\r\n`],
  ["an encoded NUL", `From: =?utf-8?Q?x=00?= <${ME}>\r\n`],
  ["an address over two words", `From: =?utf-8?Q?boss=40?= =?utf-8?Q?bank.example?= <${ME}>\r\n`],
  ["an address half encoded", `From: =?utf-8?Q?boss=40?=bank.example <${ME}>\r\n`],
  ["an encoded word in quotes", `From: "${words(BOSS)}" <${ME}>\r\n`],
  ["a foreign address in quotes", `From: "${BOSS}" <${ME}>\r\n`],
  ["a foreign address in quotes with brackets", `From: "The Boss <${BOSS}>" <${ME}>\r\n`],
  ["a foreign address with quoted characters", `From: "b\\o\\s\\s\\@bank.example" <${ME}>\r\n`],
  ["a full-width at sign", `From: ${words("boss＠bank.example")} <${ME}>\r\n`],
  ["a small at sign", `From: ${words("boss﹫bank.example")} <${ME}>\r\n`],
  ["an ideographic full stop", `From: ${words("boss@bank。example")} <${ME}>\r\n`],
  ["a zero-width space in an address", `From: ${words("boss@\u200bbank.example")} <${ME}>\r\n`],
  ["a right-to-left override", `From: ${words("\u202eelpmaxe.knab@ssob")} <${ME}>\r\n`],
  ["an isolate", `From: ${words("\u2067x\u2069")} <${ME}>\r\n`],
  ["an encoded word in an unknown charset", `From: =?x-boss?Q?boss=40bank.example?= <${ME}>\r\n`],
  ["an encoded word in UTF-7", `From: =?utf-7?Q?boss+AEA-bank.example?= <${ME}>\r\n`],
  ["an encoded word inside an encoded word", `From: ${words(words(BOSS))} <${ME}>\r\n`],
  ["an encoded word without an end", `From: =?utf-8?Q?boss=40bank.example <${ME}>\r\n`],
  ["a raw full-width at sign", `From: ${utf8("boss＠bank.example")} <${ME}>\r\n`],
  ["a raw right-to-left override", `From: ${utf8("\u202eelpmaxe.knab")} <${ME}>\r\n`],
  ["a local part with a full-width at sign", `From: ${utf8("boss＠bank.example")}@${OWNED}\r\n`],
  ["a local part with a right-to-left override", `From: ${utf8("\u202eelpmaxe")}@${OWNED}\r\n`],
  ["raw Latin-1 in the name", `From: Zo\xeb <${ME}>\r\n`],
  ["10,000 characters", `From: ${"a".repeat(900)}\r\n ${"b ".repeat(4_500)}<${ME}>\r\n`],
];

/**
 * Headers with tricks in other fields and lines than From. The message is accepted. The mailed copy
 * has one unambiguous From.
 */
const MENDED: readonly (readonly [name: string, header: string])[] = [
  ["a space before the name, at the top", ` From: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a tab before the name, at the top", `\tFrom: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a mailbox line at the top", `From ${BOSS} Mon Jan  1 00:00:00 2026\r\nFrom: ${ME}\r\n`],
  ["a quoted mailbox line at the top", `>From ${BOSS} Mon Jan  1 00:00:00 2026\r\nFrom: ${ME}\r\n`],
  ["a blank line at the top", ` \r\nFrom: ${ME}\r\n`],
  ["a vertical tab that opens a From", `X-A: b\x0bFrom: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a form feed that opens a From", `X-A: b\x0cFrom: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a leading vertical tab", `X-A:\x0bFrom: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a file separator that opens a From", `X-A: b\x1cFrom: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a next-line character", `X-A: b${utf8("\u0085")}From: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a Latin-1 next-line octet that opens a From", `X-A: b\x85From: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a line separator that opens a From", `X-A: b${utf8("\u2028")}From: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a paragraph separator", `X-A: b${utf8("\u2029")}From: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a line without a colon before the From", `nonsense\r\nFrom: ${ME}\r\n`],
  ["a line without a colon after the From", `From: ${ME}\r\nnonsense\r\n`],
  ["a line that begins with a colon", `: x\r\nFrom: ${ME}\r\n`],
  ["a name with a character outside ASCII", `${utf8("Ｆrom")}: ${BOSS}\r\nFrom: ${ME}\r\n`],
  ["a no-break space after the name", `From\xa0: ${BOSS}\r\nFrom: ${ME}\r\n`],
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

describe("the header From, hostile", () => {
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
  ])("keeps no %s", (line) => {
    expect(acceptMessage(`From: ${ME}\r\n${line}\r\n${REST}`).content).not.toContain(
      "bank.example",
    );
  });

  it("keeps no blank line that a reader could take for the header's end", () => {
    expect(acceptMessage(`From: ${ME}\r\n \t\r\n\t\r\n${REST}`).content).toContain(
      `From: ${ME}\r\nTo: ann@example.org\r\n`,
    );
  });
});

describe("the header From, well-meant", () => {
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

  it("is refused with the reason", () => {
    expect(problemOf(REST)).toBe("from is required");
    expect(problemOf(`From: ${ME}\r\nFrom: ${ME}\r\n${REST}`)).toBe(
      "from must appear exactly once",
    );
    expect(problemOf(`From: "${BOSS}" <${ME}>\r\n${REST}`)).toBe(
      "from has a display name that holds an address of another domain",
    );
    expect(problemOf(`From : ${ME}\r\n${REST}`)).toBe("from has white space before its colon");
  });
});
