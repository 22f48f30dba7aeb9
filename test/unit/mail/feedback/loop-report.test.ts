// Tests complaints from a provider's feedback loop: which reports count, and where the message's
// token is found (contract.md §Feedback loops).
import { describe, expect, it } from "vitest";
import { readLoopReport } from "../../../../src/mail/feedback/loop-report.ts";

const TOKEN = "aeaabgtxv4c2u7dq6w3m5o2kzqy7j4n3r5x2l6p7t2c4e3a5f6g7h2izxv4c2";
const RETURN_PATH = `b+${TOKEN}@bounces.shop.example`;
const PLAIN =
  "From: Shop <hello@shop.example>|To: ann@example.com|Subject: Verify your email||Please confirm.".split(
    "|",
  );

interface Loop {
  readonly machine?: readonly string[] | null;
  readonly copy?: readonly string[];
  readonly type?: string;
  readonly header?: readonly string[];
}

function loop({
  machine = ["Feedback-Type: abuse", "User-Agent: Loop/1.0"],
  copy = PLAIN,
  type = "message/rfc822",
  header = [],
}: Loop): string {
  return [
    "From: staff@provider.example",
    "Date: Thu, 4 Jun 2026 17:40:36 +0000",
    "Subject: complaint about message from 192.0.2.10",
    ...header,
    "MIME-Version: 1.0",
    `Content-Type: multipart/${machine ? "report; report-type=feedback-report" : "mixed"}; ` +
      `boundary="x"`,
    "",
    "--x",
    "Content-Type: text/plain",
    "",
    "Somebody complained.",
    ...(machine ? ["--x", "Content-Type: message/feedback-report", "", ...machine] : []),
    ...(copy.length > 0 ? ["--x", `Content-Type: ${type}`, "", ...copy] : []),
    "--x--",
    "",
  ].join("\r\n");
}

const read = (text: string) => readLoopReport(new TextEncoder().encode(text));
const tokensOf = (report: Loop) => read(loop(report))?.tokens;

describe("the message's token", () => {
  it.each([
    ["Return-Path", [`Return-Path: <${RETURN_PATH}>`]],
    ["CFBL-Address, To redacted", [`CFBL-Address: ${RETURN_PATH}; report=arf`, "To: redacted@x.y"]],
    ["CFBL-Address, folded", ["CFBL-Address:", ` ${RETURN_PATH};`, "\treport=arf"]],
    ["a header with the envelope", [`X-Envelope-From: ${RETURN_PATH}`]],
    ["auth results", [`Authentication-Results: mx.x; spf=pass smtp.mailfrom=${RETURN_PATH}`]],
    ["SPF", [`Received-SPF: pass (x) client-ip=192.0.2.10; envelope-from="${RETURN_PATH}";`]],
    ["SRS", [`Return-Path: <SRS0=Xy1z=AB=bounces.shop.example=b+${TOKEN}@forward.example>`]],
    ["a tagged sender", [`Return-Path: <prvs=1234567890=b+${TOKEN}@bounces.shop.example>`]],
    ["xtext", [`X-Original-Return-Path: b+2B${TOKEN}@bounces.shop.example`]],
    ["capitals", [`Return-Path: <${RETURN_PATH.toUpperCase()}>`]],
  ])("is found in %s", (_, fields) => {
    expect(tokensOf({ copy: [...fields, ...PLAIN] })).toEqual([TOKEN]);
  });

  it("is found in the report's own Original-Mail-From, without a copy of the message", () => {
    const machine = ["Feedback-Type: abuse", `Original-Mail-From: <${RETURN_PATH}>`];
    expect(tokensOf({ machine, copy: [] })).toEqual([TOKEN]);
  });

  it.each(["text/rfc822-headers", "message/rfc822-headers", "message/global"])(
    "is found in %s",
    (type) => {
      const copy = [`Return-Path: <${RETURN_PATH}>`, ...PLAIN];
      expect(tokensOf({ type, copy })).toEqual([TOKEN]);
    },
  );

  it("is found in a copy in base64", () => {
    const copy = btoa(`Return-Path: <${RETURN_PATH}>\r\n${PLAIN.join("\r\n")}`);
    const type = "message/rfc822\r\nContent-Transfer-Encoding: base64";
    expect(tokensOf({ type, copy: [copy] })).toEqual([TOKEN]);
  });

  it("is not found in a body, in the text or in a longer word", () => {
    expect(tokensOf({ copy: [...PLAIN, `Return-Path: <${RETURN_PATH}>`] })).toEqual([]);
    expect(tokensOf({ header: [`X-Note: ${RETURN_PATH}`] })).toEqual([]);
    const longer = [`Return-Path: <b+${TOKEN}a@bounces.shop.example>`, ...PLAIN];
    expect(tokensOf({ copy: longer })).toEqual([]);
  });

  it("is listed before less likely ones, and at most ten are listed", () => {
    const other = "b".repeat(61);
    const many = [...Array(40).keys()].map(
      (at) => `X-${at}: b+${String.fromCharCode(97 + (at % 26)).repeat(61)}@bounces.x`,
    );
    const first = [`X-Other: b+${other}@bounces.x`, `Return-Path: <${RETURN_PATH}>`];
    const copy = [...first, ...many, ...PLAIN];
    expect(tokensOf({ copy })?.slice(0, 2)).toEqual([TOKEN, other]);
    expect(tokensOf({ copy })).toHaveLength(10);
  });
});

describe("a complaint", () => {
  const copy = [`Return-Path: <${RETURN_PATH}>`, ...PLAIN];

  it("has the report's details", () => {
    expect(read(loop({ copy }))?.report.complaint).toEqual({
      feedbackType: "abuse",
      userAgent: "Loop/1.0",
      reportedAt: Date.UTC(2026, 5, 4, 17, 40, 36),
    });
  });

  it("is `abuse` when a loop only attaches the message", () => {
    expect(read(loop({ machine: null, copy }))?.report.complaint).toMatchObject({
      feedbackType: "abuse",
      userAgent: null,
    });
  });

  it.each([
    ["praise", { copy, machine: ["Feedback-Type: not-spam"] }],
    ["failed authentication", { copy, machine: ["Feedback-Type: auth-failure"] }],
    [
      "an answer with the message attached",
      { copy, machine: null, header: ["Subject: Out of office", "X-Autoreply: yes"] },
    ],
    ["words alone", { copy: [], machine: null }],
  ])("is not %s", (_, report) => {
    expect(read(loop(report))).toBeUndefined();
  });

  it("is not a delivery report with the message attached", () => {
    const report = loop({ copy, machine: ["Action: failed"] });
    const delivery = report.replace("feedback-report\r\n", "delivery-status\r\n");
    expect(read(delivery)).toBeUndefined();
    expect(read("")).toBeUndefined();
  });
});
