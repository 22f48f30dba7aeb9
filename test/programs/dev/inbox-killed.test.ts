// Tests that the inbox, in a process that is killed, loses no message that it has accepted.
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startInbox } from "../../../tools/dev/inbox/inbox.ts";
import type { MessageHead } from "../../../tools/dev/inbox/inbox-store.ts";
import { directory, useInbox } from "../../dev/inbox-harness.ts";
import { SmtpClient } from "../../support/smtp-client.ts";

useInbox();

it("a stored message survives a kill after the reply 250", async () => {
  const child = fork(new URL("inbox-process.ts", import.meta.url), [join(directory, "killed")]);
  const [port] = (await once(child, "message")) as [number];
  const answered: string[] = [];
  const senders = Array.from({ length: 4 }, async (_, sender) => {
    const client = await SmtpClient.withEnvelope(port);
    for (let index = 0; ; index += 1) {
      const subject = `${sender}-${index}`;
      await client.command("DATA");
      const reply = await client.command(`Subject: ${subject}\r\n\r\n${"x".repeat(5000)}\r\n.`);
      if (!reply.startsWith("250")) return;
      answered.push(subject);
      if (answered.length === 100) child.kill("SIGKILL");
      await client.command("MAIL FROM:<sam@example.test>");
      await client.command("RCPT TO:<rita@example.net>");
    }
  });
  await Promise.all(senders);
  const again = await startInbox({ http: 0, mx: 0 }, join(directory, "killed"));
  const kept = (await (
    await fetch(`http://127.0.0.1:${again.httpPort}/api/messages`)
  ).json()) as MessageHead[];
  await again.close();
  expect(answered.length).toBeGreaterThanOrEqual(100);
  expect(kept.map((message) => message.subject)).toEqual(expect.arrayContaining(answered));
});
