// Tests links in submitted messages (src/mail/compose/raw-links.ts): headers are added at the top,
// displayed HTML is rewritten in its own encoding, and every other octet stays.
import { Buffer } from "node:buffer";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { SharedMessage } from "../../../../src/mail/compose/readable-parts.ts";
import { trackHtml } from "../../../../src/mail/compose/track.ts";
import { type RawLinks, withLinks } from "../../../../src/mail/compose/raw-links.ts";
import {
  bytesOf,
  composedRaw,
  faultsOf,
  latin1,
  multipart,
  signingKey,
  TRACKING,
  trackedRef,
  verified,
} from "./fixtures.ts";

const URL = "https://postern.example/u/token";
const tracking = TRACKING;
const HEADER = "From: news@example.com\r\nSubject: x\r\n";
const OWN = `List-Unsubscribe: <${URL}>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n`;

const sharedOf = (text: string): SharedMessage => new SharedMessage(bytesOf(text));
const addLinks = async (text: string, links: Partial<RawLinks> = {}): Promise<string> =>
  latin1(await withLinks(sharedOf(text), { unsubscribeUrl: null, tracking: null, ...links }));

const htmlPart = (body: string, encoding = "8bit", charset = "utf-8") =>
  `Content-Type: text/html; charset=${charset}\r\nContent-Transfer-Encoding: ` +
  `${encoding}\r\n\r\n${body}`;

const LINK = htmlPart('<a href="https://a.example/">');

async function targetsIn(html: string): Promise<(string | undefined)[]> {
  const tokens = html.matchAll(/https:\/\/links\.shop\.example\/c\/([A-Za-z0-9_-]+)/g);
  const refs = Array.from(tokens, ([, token = ""]) => trackedRef(token));
  return (await Promise.all(refs)).map((ref) => ref?.url);
}

describe("unsubscribe headers", () => {
  it("come first if the message asks for a link, and change nothing else", async () => {
    const raw = `${HEADER}X-A:  b \r\n\tc\r\n\r\nbody \xff\r\n`;
    expect(await addLinks(raw, { unsubscribeUrl: URL })).toBe(OWN + raw);
  });

  it("of the message itself stay as they are, folds included, and no second field is added", async () => {
    const raw =
      `${HEADER}list-unsubscribe:\r\n ` +
      "<mailto:leave@shop.example>,\r\n\t<https://shop.example/u>\r\nlist-unsubscribe-post: " +
      "List-Unsubscribe=One-Click\r\n\r\nbody\r\n";
    expect(await addLinks(raw, { unsubscribeUrl: URL })).toBe(raw);
    expect(await addLinks(raw)).toBe(raw);
  });

  it("are repaired if they are wrong", async () => {
    const raw =
      `List-Unsubscribe: https://shop.example/u\r\n${HEADER}List-Unsubscribe-Post: ` +
      "yes\r\n\r\nbody\r\n";
    expect(await addLinks(raw)).toBe(
      "List-Unsubscribe: <https://shop.example/u>\r\nList-Unsubscribe-Post: " +
        `List-Unsubscribe=One-Click\r\n${HEADER}\r\nbody\r\n`,
    );
  });

  it("that announce one-click without a link are removed", async () => {
    const post = "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n";
    expect(await addLinks(`${HEADER}${post}\r\nbody\r\n`)).toBe(`${HEADER}\r\nbody\r\n`);
  });

  it("are not looked for in the body, nor in a message without a body", async () => {
    const raw = `${HEADER}\r\nList-Unsubscribe: x\r\n\r\n`;
    expect(await addLinks(raw)).toBe(raw);
    expect(await addLinks(raw, { unsubscribeUrl: URL })).toBe(OWN + raw);
    expect(await addLinks("\r\nbody", { unsubscribeUrl: URL })).toBe(`${OWN}\r\nbody`);
  });
});

describe("the HTML of a submitted message", () => {
  it.each(["8bit", "7bit", "binary"])(
    "in %s, which encodes nothing, gets tracked links and the pixel",
    async (encoding) => {
      const raw = `${HEADER}MIME-Version: 1.0\r\n${htmlPart('<body>\xc3\xbc <a href="https://shop.example/\xc3\xbc">x</a></body>\r\n', encoding)}`;
      const out = await addLinks(raw, { tracking });
      expect(await targetsIn(out)).toEqual(["https://shop.example/%C3%BC"]);
      expect(out).toMatch(
        /^From: [^]*<body>\xc3\xbc <a href="https:\/\/links[^"]+">x<\/a><img [^>]+><\/body>\r\n$/,
      );
    },
  );

  it("in quoted-printable stays quoted-printable", async () => {
    const body =
      '<p>=C3=BC 1=3D1 <a href=3D"https://shop.example/?a=3D1=\r\n&amp;b=3D2">x</a></p> =20\r\n';
    const out = await addLinks(`${HEADER}${htmlPart(body, "Quoted-Printable")}`, { tracking });
    const parsed = await PostalMime.parse(out);
    expect(parsed.html).toMatch(/^<p>ü 1=1 <a href="https:\/\/links[^"]+">x<\/a><\/p>  /);
    expect(await targetsIn(parsed.html ?? "")).toEqual(["https://shop.example/?a=1&b=2"]);
    expect(faultsOf(bytesOf(out))).toEqual([]);
  });

  it("in base64 stays base64", async () => {
    const html = '<body>ü <a href="https://shop.example/">x</a></body>';
    const part = htmlPart(Buffer.from(html).toString("base64"), "base64");
    const raw = `${HEADER}MIME-Version: 1.0\r\n${multipart("mixed", [part, "\r\nx"])}`;
    const out = await addLinks(raw, { tracking });
    const parsed = await PostalMime.parse(out);
    expect(await targetsIn(parsed.html ?? "")).toEqual(["https://shop.example/"]);
    expect(parsed.html).toContain("<body>ü <a");
    expect(Math.max(...out.split("\r\n").map(({ length }) => length))).toBeLessThanOrEqual(78);
  });

  it("is the only part that changes", async () => {
    const text = "Content-Type: text/plain\r\n\r\nhttps://shop.example/ \xff";
    const image = "Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\naGk=";
    const html = htmlPart('<a href="https://shop.example/">');
    const raw = `${HEADER}${multipart("mixed", [multipart("alternative", [text, html], "c"), image])}`;
    const out = await addLinks(raw, { tracking });
    const [before = "", after = ""] = raw.split(/<a[^>]*>/);
    expect(out.startsWith(before)).toBe(true);
    expect(out.endsWith(after)).toBe(true);
    expect(await targetsIn(out)).toEqual(["https://shop.example/"]);
  });

  it("has one pixel, however many HTML parts there are", async () => {
    const parts = multipart("mixed", [htmlPart("<p>1"), htmlPart("<p>2")]);
    const out = await addLinks(HEADER + parts, { tracking });
    expect(out.match(/<img /g)).toHaveLength(1);
    expect(out).toMatch(/<p>1<img /);
  });

  it.each([
    [
      "an attachment",
      LINK.replace("\r\n\r\n", "\r\nContent-Disposition: attachment; filename=a.html\r\n\r\n"),
    ],
    ["in an attached message", `Content-Type: message/rfc822\r\n\r\n${HEADER}${LINK}`],
    [
      "signed",
      multipart("signed", [LINK, "Content-Type: application/pgp-signature\r\n\r\nx"], "s"),
    ],
    ["in a charset that does not extend ASCII", LINK.replace("utf-8", '"UTF-16LE"')],
    ["in an unknown encoding", LINK.replace("8bit", "x-uuencode")],
    ["plain text", 'Content-Type: text/plain\r\n\r\n<a href="https://a.example/">'],
  ])("stays as it is when it is %s", async (_, part) => {
    const raw = `${HEADER}${multipart("mixed", [part])}`;
    expect(await addLinks(raw, { tracking })).toBe(raw);
  });

  it("in an old charset keeps its octets and its links beyond ASCII", async () => {
    const out = await addLinks(
      `${HEADER}${htmlPart('\xe9<a href="https://a.example/\xe9"><a href="https://a.example/e">', "8bit", "iso-8859-1")}`,
      { tracking },
    );
    expect(out).toContain('\r\n\r\n\xe9<a href="https://a.example/\xe9"><a href="https://links.');
  });

  it("gets the recipient's link for each placeholder, as text and headers do", async () => {
    const mark = "unsubscribe-0123456789";
    const parts = [
      `\r\nLeave: ${mark}`,
      htmlPart(
        `<a href=3D"${mark}">leave</a> unsub=\r\nscribe-0123456789 {{unsubscribe_url}}`,
        "quoted-printable",
      ),
    ];
    const raw =
      "From: news@example.com\r\nSubject: " +
      `=?utf-8?Q?x_${mark.replace("-", "=2D")}?=\r\nX-Leave: at ${mark}\r\nList-Unsubscribe: ` +
      `<${mark}>\r\n${multipart("alternative", parts)}`;
    const links = { unsubscribeUrl: URL, tracking: { ...tracking, opens: false } };
    const out = latin1(await withLinks(sharedOf(raw), links, mark));
    expect(out).toContain(`\r\nLeave: ${URL}\r\n`);
    expect(out).toContain(`\r\nSubject: x ${URL}\r\nX-Leave: at ${URL}\r\n`);
    expect(out).toContain(`List-Unsubscribe: <${URL}>\r\n`);
    expect((await PostalMime.parse(out)).html).toContain(
      `<a href="${URL}">leave</a> ${URL} {{unsubscribe_url}}`,
    );
    const without = raw.replace(`List-Unsubscribe: <${mark}>\r\n`, "");
    expect(await addLinks(without)).toBe(without);
    const none = { unsubscribeUrl: null, tracking: null };
    expect(latin1(await withLinks(sharedOf(without), none, mark))).toBe(without);
  });
});

describe("the copies of one message", () => {
  const mark = "unsubscribe-0123456789";
  const link = (copy: number) => `https://postern.example/u/to-ken${copy}-`;

  it.each([
    `<a href="${mark}">leave</a> <a href="https://shop.example/?u=${mark}&amp;b">b</a> ${mark}`,
    `<!-- <a href="${mark}"> --><style>${mark}</style><p title='${mark}'>${mark}</p><a ` +
      `href=https://shop.example/${mark}>a</a>`,
    `<${mark}="a>b"><a href="https://shop.example/">a</a>`,
    `<p ${mark}="x>y" z='<a href="https://shop.example/">a</a>'>`,
    `<!--${mark}-><a href="https://shop.example/">a</a>-->`,
    `</${mark}'><a href="https://shop.example/">a</a>'>`,
    `<a href="https://shop.example/">a</a><p title="${mark}`,
    `\xff ${mark} <a href="https://shop.example/\xe9">a</a><a href="https://shop.example/">b</a>`,
  ])(
    "are the same as if each were parsed by itself, though they share one parse: %s",
    async (html) => {
      const shared = sharedOf(`From: news@example.com\r\n${htmlPart(html)}`);
      const beyondAscii = html.includes("\xff");
      for (const copy of [0, 1, 2]) {
        const out = latin1(await withLinks(shared, { unsubscribeUrl: link(copy), tracking }, mark));
        const alone = await trackHtml(html.replaceAll(mark, link(copy)), tracking, {
          targets: [link(copy)],
          beyondAscii,
        });
        expect(out.slice(out.indexOf("\r\n\r\n") + 4).replace(/\r\n$/, "")).toBe(alone);
      }
    },
  );
});

describe("a copy with links", () => {
  it("is signed as it is sent, and has no line that is too long", async () => {
    const { publicKey } = await signingKey();
    const html = htmlPart('<a href="https://shop.example/">x</a>'.repeat(40));
    const raw = `${HEADER}MIME-Version: 1.0\r\n${html}\r\n`;
    const copy = await composedRaw(raw, { links: { unsubscribeUrl: URL, tracking } });
    for (const line of latin1(copy).split("\r\n")) expect(line.length).toBeLessThanOrEqual(998);
    const tags = await verified(copy, publicKey);
    expect(tags).toBeInstanceOf(Map);
    expect((tags as Map<string, string>).get("h")?.match(/list-unsubscribe/g)).toHaveLength(4);
    expect(await targetsIn((await PostalMime.parse(copy)).html ?? "")).toHaveLength(40);
  });
});
