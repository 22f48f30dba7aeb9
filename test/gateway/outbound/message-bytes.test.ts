// A real server (smtp-server) receives a message byte for byte as it was sent, whatever dots and
// line ends it has (RFC 5321 §4.5.2).
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AddressInfo } from "node:net";
import { DOTTED_MESSAGES } from "../../support/dotted-messages.ts";
import { deliverOne, gateway, SHORT } from "../gateway-harness.ts";

describe("a message through the gateway to a real server", () => {
  const received: Buffer[] = [];
  let server: SMTPServer;
  let sender: Awaited<ReturnType<typeof gateway>>;

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
    const { port } = server.server.address() as AddressInfo;
    sender = await gateway(port, { timeouts: { ...SHORT, final: 10_000 } });
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

  it.each(DOTTED_MESSAGES)("arrives as it was: %s", async (_name, message, read = message) => {
    const arrived = await through(Buffer.from(message, "latin1"));
    expect(arrived.toString("latin1")).toBe(read);
  });

  it("arrives as it was: megabytes with dots around every edge of their blocks", async () => {
    const message = Buffer.alloc(3_000_000, "x");
    for (let edge = 65_536; edge < message.length; edge += 65_536)
      message.write("\r\n.\r\n..\r\n", edge - 5 + ((edge / 65_536) % 9));
    message.write("\r\n", message.length - 2);
    expect((await through(message)).equals(message)).toBe(true);
  });
});
