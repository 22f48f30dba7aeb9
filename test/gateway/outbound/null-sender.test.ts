// What the worker hears of a report's sender (docs/gateway-protocol.md): whether there was one.
import { afterEach, expect, it } from "vitest";
import { type MailHarness, startMailHarness } from "../mail-harness.ts";
import { SmtpClient } from "../smtp-client.ts";

let stand: MailHarness | undefined;

afterEach(() => stand?.close());

it.each([
  ["", true],
  ["staff@provider.example", false],
])("a report from <%s> says so: %s", async (sender, isSenderNull) => {
  stand = await startMailHarness("return-path");
  const client = await SmtpClient.connect(stand.port);
  await client.reply();
  await client.command("EHLO mx.example");
  await client.command(`MAIL FROM:<${sender}>`);
  await client.command(`RCPT TO:<b+${"a".repeat(61)}@bounces.shop.example>`);
  expect(await client.command("DATA")).toMatch(/^354/);
  expect(await client.command("Subject: failed\r\n\r\n.")).toMatch(/^250/);
  expect(stand.worker.requests.at(-1)).toMatchObject({
    path: `/gateway/inbound/${"a".repeat(61)}`,
    isSenderNull,
  });
});
