// Compares the addresses that the gateway accepts at RCPT with the recipients that the worker mails
// (src/lib/address.ts): an address that the gateway accepts gets a copy or an event. Also
// tests long and hostile paths.
import { fc } from "../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { judgeMailbox } from "../../../smtp-gateway/src/inbound/mailbox-syntax.ts";
import { parseMail, parseRcpt } from "../../../smtp-gateway/src/inbound/path-syntax.ts";
import { parseMailbox } from "../../../src/lib/address.ts";
import { expectLinear } from "../../support/processor-time.ts";

const PIECES = [
  ..."a|B|1|_|-|.|@|@|\"|\\| |'|+|%|/|[|]|:|x.example|my_host|intranet|192.0.2.7".split("|"),
  ..."[192.0.2.7]|[IPv6:2001:db8::1]|xn--a|xn--bcher-kva|0x1f|é|e\u0301|ß|用|😀|。|１|א".split("|"),
  ..."\u200b|\u200c|\u200d|\u00ad|\u034f|\u3164|\ufe0f|\u2060|\ufeff|\u00a0|\u2800|\ue000".split(
    "|",
  ),
  ..."\u0378|\u{e0041}|क|\u094d|ष|ی|\u064e|ر|\u0dca|\ud800|\0|\u0085|\u2028".split("|"),
  "d".repeat(60),
  "l".repeat(62),
];

/** The worker's verdict in the gateway's words. */
function judgeByWorker(text: string) {
  const parsed = parseMailbox(text);
  const kind = parsed.kind === "invalid" ? "malformed" : parsed.kind;
  const reason = "problem" in parsed ? /: (.*)/.exec(parsed.problem)?.[1] : undefined;
  return { kind, reason: kind === "unmailable" || reason?.includes("U+") ? reason : undefined };
}

function judgeByGateway(text: string) {
  const verdict = judgeMailbox(text);
  return { kind: verdict.kind, reason: ("reason" in verdict && verdict.reason) || undefined };
}

describe("the address of a recipient", () => {
  it("is judged by the gateway as by the worker, with the same reason", () => {
    const text = fc
      .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 })
      .map((pieces) => pieces.join(""));
    const address = fc
      .tuple(fc.array(fc.constantFrom(...PIECES), { maxLength: 5 }), text)
      .map(([local, domain]) => `a${local.join("")}@${domain}`);
    fc.assert(
      fc.property(fc.oneof(text, address), (written) => {
        // A command has no blanks around the address, and a path of at most 254 bytes.
        if (written.trim() !== written || Buffer.byteLength(written) > 254) return;
        expect(judgeByGateway(written)).toEqual(judgeByWorker(written));
      }),
      { numRuns: 600 },
    );
  });
});

it("a reverse-path has at most 512 octets", () => {
  const mail = (octets: number) => parseMail(`MAIL FROM:<${"a".repeat(octets - 10)}@x.example>`);
  expect(mail(512)).toMatchObject({ reversePath: expect.stringMatching(/^a{502}@/) });
  expect(mail(513)).toMatchObject({ refused: { code: 501 } });
});

describe("a hostile path", () => {
  it.each<[string, (count: number) => string]>([
    ["an even number of quotes", (count) => `<${'""'.repeat(count)}`],
    ["an odd number of quotes", (count) => `<"${'""'.repeat(count)}`],
    ["empty strings", (count) => `<${'""'.repeat(count)}x`],
    ["backslashes", (count) => `<${"\\".repeat(count)}`],
    ["a string without an end", (count) => `<"${"\\a".repeat(count)}`],
    ["a route", (count) => `<@${"a,@".repeat(count)}`],
    ["spaces before a parameter", (count) => `<a>${" ".repeat(count)}x=`],
  ])("is refused in linear time: %s", async (_, pathOf) => {
    await expectLinear(100_000, (count) => {
      const path = pathOf(count);
      return () => {
        expect(parseMail(`MAIL FROM:${path}`)).toHaveProperty("refused");
        for (const smtpUtf8 of [false, true])
          expect(parseRcpt(`RCPT TO:${path}`, smtpUtf8)).toHaveProperty("refused");
      };
    });
  });
});
