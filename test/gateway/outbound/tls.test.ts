// Tests STARTTLS: opportunistic with any certificate, without TLS if STARTTLS fails, and never
// misled by text that was sent before TLS. An MTA-STS policy makes TLS mandatory.
import { deliverTo, mailServerAt, openConnections } from "./direct-delivery.ts";
import {
  type OutcomeLine,
  deliverOne,
  startHarness,
  startMx,
  skipSilence,
} from "../gateway-harness.ts";
import { createSecureContext, getCACertificates, setDefaultCACertificates } from "node:tls";
import { beforeAll, describe, expect, it } from "vitest";
import type { EgressOutcome } from "../../../smtp-gateway/src/outcome.ts";
import { selfSigned } from "../../../tools/harness/smtp/self-signed.ts";
import type { FakeMx, Script } from "../fake-mx.ts";

const OFFER = "250-mx.test\r\n250-PIPELINING\r\n250-STARTTLS\r\n250 8BITMIME";
async function against(script: Script): Promise<{ line: OutcomeLine; mx: FakeMx }> {
  const { mx, port } = await startHarness({ ehlo: OFFER, ...script });
  return { line: await deliverOne(port, { key: "k" }), mx };
}

describe("opportunistic TLS", () => {
  it("is used if the server offers it, whatever the certificate, and begins with EHLO again", async () => {
    const { line, mx } = await against({});
    expect(line).toMatchObject({ kind: "reply", code: 250, stage: "end", tls: "TLSv1.3" });
    expect(mx.connections).toEqual([expect.objectContaining({ encrypted: true })]);
    expect(mx.connections[0]!.verbs.slice(0, 4)).toEqual(["greeting", "ehlo", "starttls", "ehlo"]);
  });

  it.each<[string, Script]>([
    ["closes instead of shaking hands", { starttls: { act: "say_and_drop", text: "220 go" } }],
    [
      "answers the handshake with nonsense",
      {
        starttls: (_line, _count, connection) => ({
          act: "drip",
          text: connection === 1 ? "220 go ahead\r\nnonsense nonsense" : "",
          everyMs: 1,
        }),
      },
    ],
    [
      "never finishes the handshake",
      { starttls: { act: "later", give: (say) => say("220 go ahead") }, "": { act: "hang" } },
    ],
    ["says 421 to STARTTLS", { starttls: { act: "say_and_drop", text: "421 4.7.0 no TLS today" } }],
    ["never answers STARTTLS", { starttls: { act: "hang" } }],
  ])("is replaced by a second connection without TLS if the server %s", async (_name, script) => {
    skipSilence();
    const { line, mx } = await against(script);
    expect(line).toMatchObject({ kind: "reply", code: 250, stage: "end", tls: null });
    expect(mx.connections.map(({ encrypted }) => encrypted)).toEqual([false, false]);
  });

  it("drops text that the server sends in the clear after its reply to STARTTLS", async () => {
    const { line, mx } = await against({
      starttls:
        "220 go ahead\r\n250-injected\r\n250-SMTPUTF8\r\n250 x\r\n550 5.0.0 injected\r\n550 " +
        "5.0.0 injected",
    });
    expect(line).toMatchObject({ kind: "reply", code: 250, text: "queued as 1", tls: "TLSv1.3" });
    expect(mx.connections).toHaveLength(1);
  });

  it("fails when the handshake fails and the server takes nothing without TLS", async () => {
    const { line } = await against({
      starttls: { act: "say_and_drop", text: "220 go ahead" },
      mail: "530 5.7.0 Must issue a STARTTLS command first",
    });
    const detail: unknown = expect.any(String);
    const failure = { kind: "failure", cause: "tls", detail, mx_host: "127.0.0.1" };
    expect(line).toEqual({ key: "k", ...failure });
  });

  it("fails when the handshake fails and the second connection does too", async () => {
    const { line } = await against({
      starttls: { act: "drop" },
      greeting: (_line, _count, connection) => (connection === 1 ? "220 hi" : { act: "drop" }),
    });
    expect(line).toMatchObject({ kind: "failure", cause: "tls" });
  });

  // unit/smtp/dot-stuffing.test.ts tests the kinds of dots and line ends.
  it("carries megabytes, with dots around every edge of the blocks that are sent", async () => {
    const { mx, port } = await startHarness({ ehlo: OFFER });
    const message = Buffer.alloc(3_000_000, "x");
    message.write("..\r\n.\r\n.top\r\n");
    for (let edge = 65_536; edge < message.length; edge += 65_536)
      message.write("\r\n.\r\n..\r\n", edge - 5 + ((edge / 65_536) % 9));
    message.write("\r\n", message.length - 2);
    const line = await deliverOne(port, { key: "k", message });
    expect(line).toMatchObject({ code: 250, tls: "TLSv1.3" });
    const sent = mx.messages[0]!.toString();
    expect(sent === message.toString().replace(/(^|\r\n)\./g, "$1..")).toBe(true);
  });
});

describe("TLS demanded by the domain's policy", () => {
  const good = selfSigned(["mx.test"]);

  beforeAll(() => {
    setDefaultCACertificates([...getCACertificates(), good.cert]);
    createSecureContext();
  });

  async function demanding(
    script: Script,
    certificate = good,
  ): Promise<{ outcome: EgressOutcome; mx: FakeMx }> {
    const mx = await startMx({ ehlo: OFFER, ...script }, "127.0.0.1", certificate);
    const target = mailServerAt(mx.port, { tlsRequired: true });
    return { outcome: await deliverTo(openConnections(), [target]), mx };
  }

  it("is used with a server that proves its name", async () => {
    const { outcome } = await demanding({});
    expect(outcome).toMatchObject({ code: 250, tls: "TLSv1.3", mx_host: "mx.test" });
  });

  it.each<[string, Script, { key: string; cert: string }]>([
    ["shows a certificate of no known authority", {}, selfSigned(["mx.test"])],
    ["offers no STARTTLS", { ehlo: "250 mx.test" }, good],
    ["declines STARTTLS", { starttls: "454 4.7.0 not now" }, good],
    ["breaks the handshake off", { starttls: { act: "say_and_drop", text: "220 go" } }, good],
  ])("fails, and sends nothing in the clear, when the server %s", async (_name, script, shown) => {
    const { outcome, mx } = await demanding(script, shown);
    expect(outcome).toMatchObject({ kind: "failure", cause: "tls", mx_host: "mx.test" });
    expect(mx.lines.filter((line) => /^(?:MAIL|RCPT|DATA)/.test(line))).toEqual([]);
    expect(mx.connections).toHaveLength(1);
  });
});
