// Tests how submitted messages are refused for their sender, recipients or options, and that all
// others are accepted, whatever octets they have.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readHeaderSection } from "../../../../../src/mail/accept/smtp/header-section.ts";
import {
  errorsOf,
  FROM,
  judgeMessage,
  octets,
  OWNED,
  acceptMessage,
  textOf,
  WHOLE,
} from "./submissions.ts";

describe("validateSubmission refuses", () => {
  it.each([
    [
      "a sender's name in Latin-1",
      `From: Zo\xeb <me@${OWNED}>\r\n`,
      { from: ["holds octets that are neither ASCII nor UTF-8"] },
    ],
    [
      "an option in Latin-1",
      `X-Service-Tags: caf\xe9\r\n${WHOLE}`,
      { "tags.0": ["must be 1 to 64 letters, digits, underscores or hyphens"] },
    ],
    [
      "1,001 headers",
      `${WHOLE}${"Received: x\r\n".repeat(996)}`,
      { headers: ["are more than 1000 fields"] },
    ],
    [
      "a header of more than 256 KB",
      `${WHOLE}${`Received: ${"x".repeat(900)}\r\n`.repeat(290)}`,
      { headers: ["are larger than 262144 bytes"] },
    ],
  ])("%s", (_, header, errors) => {
    expect(errorsOf(`${header}\r\nbody\r\n`)).toEqual(errors);
  });

  it("nothing that is exactly at its limit", () => {
    expect(acceptMessage(`${WHOLE}${"X-A: b\r\n".repeat(25)}\r\n`).message.headers).toHaveLength(
      25,
    );
    expect(judgeMessage(`${WHOLE}${"Received: x\r\n".repeat(995)}\r\n`).kind).toBe("taken");
    expect(judgeMessage(`${FROM}\r\nSubject: ${"\xc3\xa9 ".repeat(499)}\r\n\r\n`).kind).toBe(
      "taken",
    );
  });

  it.each([
    [
      "X-Service-Tags: a b",
      { "tags.0": ["must be 1 to 64 letters, digits, underscores or hyphens"] },
    ],
    [
      `X-Service-Tags: ${Array.from({ length: 11 }, (_, index) => `t${index}`).join(",")}`,
      { tags: ["has more than 10 different entries"] },
    ],
    [
      "X-Service-Topic: *",
      { topic: ["must be 1 to 64 lower-case letters, digits, underscores, dots or hyphens"] },
    ],
    [
      "X-Service-Topic:",
      { topic: ["must be 1 to 64 lower-case letters, digits, underscores, dots or hyphens"] },
    ],
    ["X-Service-Topic: a\r\nX-Service-Topic: a", { topic: ["is given more than once"] }],
    [
      "X-Service-Campaign: a b",
      { campaign: ["must be 1 to 64 letters, digits, underscores or hyphens"] },
    ],
    [
      "X-Service-IP-Pool: other",
      { ip_pool: ["is not an IP pool of this team: the team's pools are receipts"] },
    ],
    ["X-Service-Priority: urgent", { priority: ["must be one of: high, normal"] }],
    [
      "X-Service-Template-Id: a\r\nX-Service-Template-Id: a",
      { template_id: ["is given more than once"] },
    ],
    [
      'X-Service-Variables: {"a":1}\r\nX-Service-Variables: {}',
      { variables: ["is given more than once"] },
    ],
    [
      `X-Service-Variables: {"a":"${"x".repeat(65_536)}"}`,
      { variables: ["are 65544 bytes of JSON; at most 65536 are allowed"] },
    ],
    [
      'X-Service-Variables: {"a":{"b":{"c":{"d":{}}}}}',
      { "variables.a.b.c.d": ["is nested deeper than 4 levels"] },
    ],
    ["X-Service-Variables: {", { variables: ["is not valid JSON"] }],
    ["X-Service-Variables: []", { variables: ["must be an object"] }],
    [
      `X-Service-Variables: {"a":${"[".repeat(80)}${"]".repeat(80)}}`,
      { variables: ["is nested deeper than 64 levels"] },
    ],
    [
      "X-Service-Unsubscribe: generate",
      { topic: ["is required when unsubscribe.mode is generate"] },
    ],
    ["X-Service-Unsubscribe: maybe", { "unsubscribe.mode": ["must be one of: generate, none"] }],
    ["X-Service-Tracking: opens", { tracking: ["must be like opens=on; clicks=off"] }],
    [
      "X-Service-Tracking: opens=off; opens=off",
      { tracking: ["must be like opens=on; clicks=off"] },
    ],
    ["X-Service-Tracking: __proto__=off", { tracking: ["must be like opens=on; clicks=off"] }],
  ])("the option %s", (option, errors) => {
    expect(errorsOf(`${option}\r\n${WHOLE}\r\n`)).toEqual(errors);
  });

  it.each([
    "X-Service-Tags:",
    "X-Service-Tags: a, a",
    "X-Service-Tracking: OPENS=off ;clicks = Off;",
    "X-Service-Unsubscribe: None",
    "X-Service-Variables: {}",
    "X-Service-Variables: =?utf-8?Q?=7B=7D?=",
  ])("nothing for the option %s", (option) => {
    expect(acceptMessage(`${option}\r\n${WHOLE}\r\n`).content).toBe(`${WHOLE}\r\n`);
  });

  it("no options for the copies' links, and stores them with the message", () => {
    const { message } = acceptMessage(
      "X-Service-Topic: news\r\nX-Service-Unsubscribe: Generate\r\nX-Service-Tracking: " +
        `opens=on; clicks=off\r\n${WHOLE}\r\n`,
    );
    expect(message).toMatchObject({
      unsubscribe: { displayName: null },
      tracking: { opens: true, clicks: false },
    });
    const plain = acceptMessage(`${WHOLE}\r\n`).message;
    expect([plain.unsubscribe, plain.tracking]).toEqual([undefined, undefined]);
  });

  it("an envelope with no recipient, with too many, or with none that can be mailed", () => {
    expect(errorsOf(`${WHOLE}\r\n`, [])).toEqual({ to: ["must name at least one recipient"] });
    expect(errorsOf(`${WHOLE}\r\n`, ["x"])).toEqual({ "to.0": ["is not an email address"] });
    expect(errorsOf(`${WHOLE}\r\n`, ["a@[192.0.2.1]"])).toMatchObject({
      to: ["has no recipient that can be mailed: every one was rejected"],
    });
    expect(
      errorsOf(
        `${WHOLE}\r\n`,
        Array.from({ length: 51 }, () => "a@example.org"),
      ),
    ).toEqual({
      to: ["has 51 recipients with cc and bcc; at most 50 are allowed"],
    });
  });
});

describe("hostile octets", () => {
  it("are refused, or leave one judged From and clean line ends", () => {
    const piece = fc.constantFrom(
      "From: ",
      FROM,
      "\r\n",
      "\n",
      "\r",
      "\0",
      " ",
      "\t",
      ":",
      "To: a@b.example",
      "Subject",
      "=?utf-8?Q?",
      "?=",
      "<",
      ">",
      '"',
      "(",
      ",",
      "@",
      OWNED,
      "\xff",
      "X-Service-Tags:",
      "\x0b",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const judged = judgeMessage(pieces.join(""));
        if (judged.kind === "refused") return;
        const again = readHeaderSection(octets(judged.content));
        expect(again.kind).toBe("header");
        const senders =
          again.kind === "header"
            ? again.fields.filter(({ lowerName }) => lowerName === "from")
            : [];
        expect(senders).toHaveLength(1);
        expect(judged.content).not.toMatch(/[^\r]\n|\r[^\n]|\0/);
      }),
      { numRuns: 3_000 },
    );
  });

  it("stay in a header that is kept", () => {
    const { content } = acceptMessage(`${WHOLE}X-A: \xc3\xa9 \xe9\xa0\x85\r\n\r\n`);
    expect(content).toBe(`${WHOLE}X-A: \xc3\xa9 \xe9\xa0\x85\r\n\r\n`);
    expect(textOf(octets("\x80\x9f\xff"))).toBe("\x80\x9f\xff");
  });
});
