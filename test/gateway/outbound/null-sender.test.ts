// Tests that the gateway tells the worker whether a bounce report came with a null sender
// (docs/gateway-protocol.md).
import { expect, it } from "vitest";
import { startIntake } from "../mail-harness.ts";
import { SmtpClient } from "../../support/smtp-client.ts";

it.each([
  ["", true],
  ["staff@provider.example", false],
])("a report from <%s> has a null sender: %s", async (sender, isSenderNull) => {
  const harness = await startIntake("return-path");
  const client = await SmtpClient.connect(harness.port);
  await client.reply();
  await client.command("EHLO mx.example");
  await client.command(`MAIL FROM:<${sender}>`);
  await client.command(`RCPT TO:<b+${"a".repeat(61)}@bounces.shop.example>`);
  expect(await client.command("DATA")).toMatch(/^354/);
  expect(await client.command("Subject: failed\r\n\r\n.")).toMatch(/^250/);
  expect(harness.worker.requests.at(-1)).toMatchObject({
    path: `/gateway/inbound/${"a".repeat(61)}`,
    isSenderNull,
  });
});
