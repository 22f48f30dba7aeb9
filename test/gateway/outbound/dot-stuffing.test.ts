// What arrives is what was sent, byte for byte, whatever dots and line ends a message has (RFC 5321
// section 4.5.2), as smtp-server reads it.
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AddressInfo } from "node:net";
import { DotStuffer } from "../../../smtp-gateway/src/outbound/dot-stuffing.ts";
import type { Gateway } from "../../../smtp-gateway/src/gateway.ts";
import { deliverOne, gateway } from "../gateway-harness.ts";

const H = "Subject: x\r\n\r\n";

/** [name, message, what a server must see when that is not the same] */
const table: [name: string, message: string, received?: string][] = [
  ["an ordinary message", `${H}hello\r\nworld\r\n`],
  ["a dot at the very start", `.${H}hello\r\n`],
  ["only a dot", "."],
  ["a lone dot on its line", `${H}a\r\n.\r\nb\r\n`],
  ["a lone dot on the last line", `${H}a\r\n.\r\n`],
  ["a lone dot at the end without a line end", `${H}a\r\n.`],
  ["two and three dots", `${H}..\r\n...\r\n..a\r\n`],
  ["dots inside lines", `${H}a.b\r\nc. \r\n d.\r\n`],
  ["empty lines at the end", `${H}a\r\n\r\n\r\n`],
  ["no line end at the end", `${H}a`, `${H}a\r\n`],
  ["nothing at all", "", ""],
  ["a bare LF before a dot", `${H}a\n.\r\nb\r\n`, `${H}a\r\n.\r\nb\r\n`],
  ["a bare CR before a dot", `${H}a\r.\r\nb\r\n`, `${H}a\r\n.\r\nb\r\n`],
  [
    "bare LF dot LF",
    `${H}a\n.\nMAIL FROM:<evil@example.test>\n`,
    `${H}a\r\n.\r\nMAIL FROM:<evil@example.test>\r\n`,
  ],
  ["CR CR LF", `${H}a\r\r\nb\r\n`, `${H}a\r\n\r\nb\r\n`],
  ["a bare CR at the end", `${H}a\r`, `${H}a\r\n`],
  ["8-bit bytes", `${H}é\r\n.ü\r\n`],
];

const terminated = (text: string): string =>
  text === "" || text.endsWith("\r\n") ? text : `${text}\r\n`;

describe("through a gateway to a real server", () => {
  const received: Buffer[] = [];
  let server: SMTPServer;
  let sender: Gateway;

  beforeAll(async () => {
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["AUTH", "STARTTLS"],
      disableReverseLookup: true,
      onData(stream, _session, callback) {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => {
          received.push(Buffer.concat(chunks));
          callback();
        });
      },
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    sender = await gateway((server.server.address() as AddressInfo).port);
  });

  afterAll(async () => {
    await sender.drain();
    await new Promise<void>((resolve) => {
      server.close(resolve);
    });
  });

  async function through(message: Buffer): Promise<Buffer> {
    received.length = 0;
    expect(await deliverOne(sender.port, { key: crypto.randomUUID(), message })).toMatchObject({
      kind: "reply",
      code: 250,
    });
    expect(received).toHaveLength(1);
    return received[0]!;
  }

  it.each(table)("%s", async (_name, message, expected) => {
    expect((await through(Buffer.from(message))).toString()).toBe(terminated(expected ?? message));
  });

  it("a message of megabytes with dots around every edge of its blocks", async () => {
    const message = Buffer.alloc(3_000_000, "x");
    for (let edge = 65_536; edge < message.length; edge += 65_536)
      message.write("\r\n.\r\n..\r\n", edge - 5 + ((edge / 65_536) % 9));
    message.write("\r\n", message.length - 2);
    expect((await through(message)).equals(message)).toBe(true);
  });
});

describe("in chunks", () => {
  it.each(table)("%s is the same however it is cut", (_name, message) => {
    const bytes = Buffer.from(message);
    const stuffed = (size: number): string => {
      const stuffer = new DotStuffer();
      const pieces: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size)
        pieces.push(stuffer.stuff(bytes.subarray(at, at + size)));
      return Buffer.concat([...pieces, stuffer.end()]).toString("latin1");
    };
    const whole = stuffed(Math.max(bytes.length, 1));
    for (const size of [1, 2, 3, 4, 5, 7]) expect(stuffed(size)).toBe(whole);
    expect(whole).toMatch(/(?:^|\r\n)\.\r\n$/);
    expect(whole.slice(0, -3)).not.toMatch(/(?:^|[\r\n])\.[\r\n]|\r(?!\n)|(?<!\r)\n/);
  });

  it("leaves a chunk alone that needs no change", () => {
    const chunk = Buffer.from("no dots here\r\n");
    expect(new DotStuffer().stuff(chunk)).toBe(chunk);
  });
});
