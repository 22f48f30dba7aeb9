// Tests the opening of an SMTP session (smtp-gateway/src/smtp/smtp-opening.ts): the commands that
// the client sends, and which of them must succeed under each TLS plan.
import { describe, expect, it } from "vitest";
import { openSmtpSession } from "../../../smtp-gateway/src/smtp/smtp-opening.ts";
import { connect, TIMEOUTS } from "./scripted-transport.ts";

type OpeningPlan = Parameters<typeof openSmtpSession>[1];
type Verb = "greeting" | "EHLO" | "HELO" | "STARTTLS" | "AUTH" | "inside";
type Replies = Partial<Record<Verb, string>>;

const OFFERS_TLS = "250-mx.test\r\n250 STARTTLS";
const PLAN: OpeningPlan = {
  name: "client.test",
  allowHelo: true,
  tls: "none",
  credentials: null,
  isOwnName: () => false,
  timeouts: TIMEOUTS,
};

async function open(replies: Replies, plan: Partial<OpeningPlan> = {}) {
  const { connection, transport } = connect((written) => {
    const verb = written.split(/\s/, 1)[0] as keyof Replies;
    const reply = verb === "EHLO" && transport.isEncrypted ? replies.inside : replies[verb];
    return `${reply ?? (verb in replies ? "" : "334 ")}\r\n`.replace(/^\r\n$/, "");
  });
  if (replies.greeting !== "") transport.serve(`${replies.greeting ?? "220 mx.test"}\r\n`);
  const result = await openSmtpSession(connection, { ...PLAN, ...plan });
  return { connection, transport, result };
}

describe("the opening of a session", () => {
  it("reads the capabilities of the EHLO reply", async () => {
    const offers = "250-PIPELINING\r\n250-SIZE 1000\r\n250-auth=plain login\r\n250 XSMTPUTF8";
    const { connection, result } = await open({ EHLO: `250-mx.test\r\n${offers}` });
    expect(result).toEqual({ kind: "open" });
    expect(connection.capabilities).toEqual({
      pipelining: true,
      size: true,
      eightBitMime: false,
      smtpUtf8: false,
      startTls: false,
      auth: new Set(["PLAIN", "LOGIN"]),
    });
  });

  it.each([
    ["greeting", { greeting: "554 no" }, 554],
    ["greeting", { greeting: "334 go on" }, 334],
    ["helo", { EHLO: "421 later" }, 421],
    ["helo", { EHLO: "502 what", HELO: "550 no service" }, 550],
  ])("is refused at %s and closed: %j", async (step, replies, code) => {
    const { result, transport } = await open(replies);
    expect(result).toMatchObject({ kind: "refused", step, reply: { code } });
    expect(transport.isClosed).toBe(true);
  });

  it("falls back to HELO where the plan allows it", async () => {
    const replies = { EHLO: "502 what", HELO: "250 mx.test" };
    expect((await open(replies)).result).toEqual({ kind: "open" });
    const { result } = await open(replies, { allowHelo: false });
    expect(result).toMatchObject({ kind: "refused", step: "helo" });
  });

  it("ends at a server of the client's own name before STARTTLS", async () => {
    const isOwnName: OpeningPlan["isOwnName"] = ({ lines }) => lines[0] === "mx.test";
    const { result, transport } = await open({ EHLO: OFFERS_TLS }, { tls: "offered", isOwnName });
    expect(result).toEqual({ kind: "own_name" });
    expect(transport.written).toEqual(["EHLO client.test\r\n"]);
  });

  it.each<[OpeningPlan["tls"], Replies, string, boolean]>([
    ["offered", { EHLO: OFFERS_TLS, STARTTLS: "220 go", inside: "250 mx" }, "open", true],
    ["offered", { EHLO: "250 mx.test" }, "open", false],
    ["offered", { EHLO: OFFERS_TLS, STARTTLS: "454 not now" }, "open", false],
    ["offered", { EHLO: OFFERS_TLS, STARTTLS: "421 not now" }, "refused", false],
    ["required", { EHLO: OFFERS_TLS, STARTTLS: "220 go", inside: "250 mx" }, "open", true],
    ["required", { EHLO: "250 mx.test" }, "unsupported", false],
    ["required", { EHLO: OFFERS_TLS, STARTTLS: "454 not now" }, "refused", false],
    ["none", { EHLO: OFFERS_TLS }, "open", false],
  ])("with TLS %s and the replies %j is %s", async (tls, replies, kind, isEncrypted) => {
    const { result, transport } = await open(replies, { tls });
    expect(result.kind).toBe(kind);
    expect(transport.isEncrypted).toBe(isEncrypted);
  });

  it("takes the capabilities from the EHLO reply inside TLS alone", async () => {
    const inside = { STARTTLS: "220 go", inside: "250 mx.test" };
    const replies = { EHLO: `250-SIZE\r\n${OFFERS_TLS}`, ...inside };
    const { connection } = await open(replies, { tls: "offered" });
    expect(connection.capabilities).toMatchObject({ size: false, startTls: false });
  });

  it.each<[string, Replies]>([
    ["greeting", { greeting: "" }],
    ["helo", { EHLO: "" }],
    ["starttls", { EHLO: OFFERS_TLS, STARTTLS: "" }],
    ["starttls", { EHLO: OFFERS_TLS, STARTTLS: "220 go", inside: "" }],
  ])("names the step at which the server fell silent: %s", async (step, replies) => {
    const { result } = await open(replies, { tls: "offered" });
    expect(result).toMatchObject({ kind: "lost", step, lost: { how: "timeout" } });
  });
});

describe("AUTH", () => {
  const credentials = { username: "ann", password: "wort ✓" };
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const encrypted = (inside: string, AUTH: string) =>
    open({ EHLO: OFFERS_TLS, STARTTLS: "220 go", inside, AUTH }, { tls: "required", credentials });

  it("sends one answer by PLAIN", async () => {
    const { result, transport } = await encrypted("250-mx\r\n250 AUTH LOGIN PLAIN", "235 welcome");
    expect(result).toEqual({ kind: "open" });
    expect(transport.written.at(-1)).toBe(`AUTH PLAIN ${base64("\0ann\0wort ✓")}\r\n`);
  });

  it("sends user and password one by one by LOGIN", async () => {
    const { transport } = await encrypted("250-mx\r\n250 AUTH LOGIN", "334 VXNlcm5hbWU6");
    expect(transport.written.slice(-3)).toEqual(
      ["AUTH LOGIN", base64("ann"), base64("wort ✓")].map((line) => `${line}\r\n`),
    );
  });

  it("reports the reply that refuses the password", async () => {
    const { result } = await encrypted("250-mx\r\n250 AUTH PLAIN", "535 wrong");
    expect(result).toMatchObject({ kind: "refused", step: "auth", reply: { code: 535 } });
  });

  it("is unsupported by a server with other mechanisms", async () => {
    const { result } = await encrypted("250-mx\r\n250 AUTH CRAM-MD5", "235 welcome");
    expect(result).toEqual({ kind: "unsupported", step: "auth" });
  });

  it("never sends a password over a connection without TLS", async () => {
    await expect(open({ EHLO: "250 AUTH PLAIN" }, { credentials })).rejects.toThrow("before TLS");
  });
});
