// Tests that a real server (smtp-server) receives the same bytes that were sent, into whatever
// pieces they are cut (RFC 5321 §4.5.2). unit/smtp/dot-stuffing.test.ts tests the kinds of dots and
// line ends.
import { SMTPServer } from "smtp-server";
import { expect, it } from "vitest";
import type { AddressInfo } from "node:net";
import { cleanups, deliverOne, gateway } from "../gateway-harness.ts";

it("a message of megabytes with dots around every edge of its blocks arrives unchanged", async () => {
  const chunks: Buffer[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    onData(stream, _session, callback) {
      stream.on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", () => callback());
    },
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port: serverPort } = server.server.address() as AddressInfo;
  cleanups.push(() => new Promise<void>((resolve) => server.close(resolve)));
  const { port } = await gateway(serverPort);
  const message = Buffer.alloc(3_000_000, "x");
  message.write("..\r\n.\r\n.top\r\n");
  for (let edge = 65_536; edge < message.length; edge += 65_536)
    message.write("\r\n.\r\n..\r\n", edge - 5 + ((edge / 65_536) % 9));
  message.write("\r\n", message.length - 2);
  expect(await deliverOne(port, { key: "k", message })).toMatchObject({ kind: "reply", code: 250 });
  expect(Buffer.concat(chunks).equals(message)).toBe(true);
});
