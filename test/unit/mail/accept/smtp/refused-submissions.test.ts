// Tests how submitted messages are refused for their sender, recipients or options, and that all
// others are accepted, whatever octets they have.
import { fc } from "../../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { readHeaderSection } from "../../../../../src/mail/accept/smtp/header-section.ts";
import {
  acceptMessage,
  errorsOf,
  FROM,
  judgeMessage,
  octets,
  OWNED,
  problemOf,
  textOf,
  WHOLE,
} from "./submissions.ts";

const LABEL = "must be 1 to 64 letters, digits, underscores or hyphens";
const TOPIC = "topic must be 1 to 64 lower-case letters, digits, underscores, dots or hyphens";
const TWICE = "is given more than once";
const TRACKING = "tracking must be like opens=on; clicks=off";

describe("validateSubmission refuses", () => {
  it.each([
    [
      "a name in Latin-1",
      `From: Zo\xeb <me@${OWNED}>\r\n`,
      "from holds octets that are neither ASCII nor UTF-8",
    ],
    ["an option in Latin-1", `X-Service-Tags: caf\xe9\r\n${WHOLE}`, `tags.0 ${LABEL}`],
    [
      "1,001 headers",
      `${WHOLE}${"Received: x\r\n".repeat(996)}`,
      "headers are more than 1000 fields",
    ],
    [
      "a header of more than 256 KB",
      `${WHOLE}${`Received: ${"x".repeat(900)}\r\n`.repeat(290)}`,
      "headers are larger than 262144 bytes",
    ],
  ])("%s", (_, header, problem) => {
    expect(problemOf(`${header}\r\nbody\r\n`)).toBe(problem);
  });

  it("nothing that is exactly at its limit", () => {
    for (const header of [
      `${WHOLE}${"X-A: b\r\n".repeat(25)}`,
      `${WHOLE}${"Received: x\r\n".repeat(995)}`,
      `${FROM}\r\nSubject: ${"\xc3\xa9 ".repeat(499)}\r\n`,
    ])
      expect(judgeMessage(`${header}\r\n`).kind).toBe("taken");
  });

  it.each([
    ["Tags: a b", `tags.0 ${LABEL}`],
    ["Tags: 1,2,3,4,5,6,7,8,9,10,11", "tags has more than 10 different entries"],
    ["Topic: *", TOPIC],
    ["Topic:", TOPIC],
    ["Topic: a\r\nX-Service-Topic: a", `topic ${TWICE}`],
    ["Campaign: a b", `campaign ${LABEL}`],
    ["IP-Pool: other", "ip_pool is not an IP pool of this team: the team's pools are receipts"],
    ["Priority: urgent", "priority must be one of: high, normal"],
    ["Sensitive: perhaps", "sensitive must be a boolean"],
    [
      "Sensitivity: true",
      "headers.X-Service-Sensitivity is not an option: write X-Service-Sensitive",
    ],
    ["Template-Id: a\r\nX-Service-Template-Id: a", `template_id ${TWICE}`],
    ['Variables: {"a":1}\r\nX-Service-Variables: {}', `variables ${TWICE}`],
    [
      `Variables: {"a":"${"x".repeat(65_536)}"}`,
      "variables are 65544 bytes of JSON; at most 65536 are allowed",
    ],
    ['Variables: {"a":{"b":{"c":{"d":{}}}}}', "variables.a.b.c.d is nested deeper than 4 levels"],
    ["Variables: {", "variables is not valid JSON"],
    ["Variables: [1]", "variables must be an object"],
    [
      `Variables: {"a":${"[".repeat(80)}${"]".repeat(80)}}`,
      "variables is nested deeper than 64 levels",
    ],
    ["Unsubscribe: generate", "topic is required when unsubscribe.mode is generate"],
    ["Unsubscribe: maybe", "unsubscribe.mode must be one of: generate, none"],
    ["Tracking: opens", TRACKING],
    ["Tracking: opens=off; opens=off", TRACKING],
    ["Tracking: __proto__=off", TRACKING],
  ])("the option %s", (option, problem) => {
    expect(problemOf(`X-Service-${option}\r\n${WHOLE}\r\n`)).toBe(problem);
  });

  it.each(
    (
      "X-Service-Tags:|X-Service-Tags: a, a|" +
      "X-Service-Tracking: OPENS=off ;clicks = Off;|X-Service-Unsubscribe: None|" +
      "X-Service-Variables: {}|X-Service-Variables: =?utf-8?Q?=7B=7D?="
    ).split("|"),
  )("nothing for the option %s", (option) => {
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
    const refusalFor = (...recipients: string[]) => problemOf(`${WHOLE}\r\n`, recipients);
    expect(refusalFor()).toBe("to must name at least one recipient");
    expect(refusalFor("x")).toBe("to.0 is not an email address");
    expect(refusalFor(...Array.from({ length: 51 }, () => "a@example.org"))).toBe(
      "to has 51 recipients with cc and bcc; at most 50 are allowed",
    );
    expect(errorsOf(`${WHOLE}\r\n`, ["a@[192.0.2.1]"])).toMatchObject({
      to: ["has no recipient that can be mailed: every one was rejected"],
    });
  });
});

describe("hostile octets", () => {
  it("are refused, or leave one judged From and clean line ends", () => {
    const strings =
      'From: |\r\n|\n|\r|\0| |\t|:|To: a@b.example|Subject|=?utf-8?Q?|?=|<|>|"|(|,|@|\xff|\x0b';
    const piece = fc.constantFrom(FROM, OWNED, "X-Service-Tags:", ...strings.split("|"));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const judged = judgeMessage(pieces.join(""));
        if (judged.kind === "refused") return;
        const again = readHeaderSection(octets(judged.content));
        const fields = again.kind === "header" ? again.fields : [];
        expect(fields.filter(({ lowerName }) => lowerName === "from")).toHaveLength(1);
        expect(judged.content).not.toMatch(/[^\r]\n|\r[^\n]|\0/);
      }),
    );
  });

  it("stay in a header that is kept", () => {
    const { content } = acceptMessage(`${WHOLE}X-A: \xc3\xa9 \xe9\xa0\x85\r\n\r\n`);
    expect(content).toBe(`${WHOLE}X-A: \xc3\xa9 \xe9\xa0\x85\r\n\r\n`);
    expect(textOf(octets("\x80\x9f\xff"))).toBe("\x80\x9f\xff");
  });
});
