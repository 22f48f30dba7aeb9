// Tests a newcomer's first steps with what `npm start` starts: send one message over HTTP and one
// by SMTP, find both in the inbox and in the events, and receive a bounce that comes back as a
// report.
import { readFileSync } from "node:fs";
import { Resolver } from "node:dns/promises";
import { createTransport, type SendMailOptions } from "nodemailer";
import { describe, expect, it } from "vitest";
import { SmtpClient } from "../support/smtp-client.ts";
import { verified } from "../unit/mail/compose/fixtures.ts";
import { sharedStack } from "./shared-stack.ts";
import { ofFile } from "../support/before-tests.ts";

const stack = ofFile(async () => (await sharedStack()).team("first-send.test"));

const settled = (id: string, ...types: string[]) =>
  expect.poll(() => stack.history(id), { interval: 200 }).toEqual(types);

/** Returns the only copy in the inbox for the recipient. */
async function arrival(to: string): Promise<{ readonly mail_from: string; readonly raw: Buffer }> {
  await expect.poll(() => stack.inbox(`&to=${to}`)).toHaveLength(1);
  const [message] = await stack.inbox(`&to=${to}`);
  return { mail_from: message?.mail_from ?? "", raw: await stack.raw(message?.id ?? "") };
}

describe("a first send", () => {
  it("is in the inbox, signed by the published key, and in the history", async () => {
    const id = await stack.sent("first@example.net", "First");
    await settled(id, "email.sent", "email.delivered");
    const { raw } = await arrival("first@example.net");
    const selector = /s=([^;]+);/.exec(raw.toString("latin1"))?.[1];
    const key = await publishedKey(`${selector}._domainkey.${stack.domain}`);
    expect(await verified(raw, key)).toBeInstanceOf(Map);
  });
});

describe("a message sent by SMTP", () => {
  async function submit(message: SendMailOptions): Promise<string> {
    const { host, port, user, ca } = stack.dev.smtp;
    const transport = createTransport({
      host,
      port,
      requireTLS: true,
      tls: { ca: readFileSync(ca) },
      auth: { user, pass: stack.dev.api_key },
    });
    const from = `hello@${stack.domain}`;
    return (await transport.sendMail({ from, text: "It works.", ...message })).response;
  }

  it("bounces when a report comes to its return-path, which refuses other mail", async () => {
    const to = "smtp-bounced@example.net";
    const [, id = ""] = /^250 2\.0\.0 (email_\S+)$/.exec(await submit({ to })) ?? [];
    const { mail_from: returnPath } = await arrival(to);
    expect(returnPath).toMatch(/^b\+[a-z2-7]{61}@bounces\.first-send\.test$/);
    expect(await report("someone@example.net", to)).toMatch(/^550 5\.7\.1 /);
    expect(await report(`b+${"a".repeat(61)}@bounces.${stack.domain}`, to)).toMatch(
      /^550 5\.7\.1 /,
    );
    expect(await report(returnPath, to)).toMatch(/^250 2\.0\.0 /);
    await settled(id, "email.sent", "email.delivered", "email.bounced");
  });
});

/** Returns the key in the TXT record of a name. The DNS server follows aliases. */
async function publishedKey(name: string): Promise<Parameters<typeof verified>[1]> {
  const resolver = new Resolver();
  resolver.setServers([new URL(stack.dev.dns_url).host]);
  const [text = []] = await resolver.resolveTxt(name);
  const spki = Buffer.from(/p=([^;]+)/.exec(text.join(""))?.[1] ?? "", "base64");
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  return crypto.subtle.importKey("spki", spki, algorithm, false, ["verify"]);
}

/** Delivers a bounce to `recipient` as a mail server does. Returns the last reply. */
async function report(recipient: string, failed: string): Promise<string> {
  const message = [
    "From: MAILER-DAEMON@example.net",
    `To: ${recipient}`,
    "Subject: Undelivered Mail Returned to Sender",
    "MIME-Version: 1.0",
    'Content-Type: multipart/report; report-type=delivery-status; boundary="x"',
    "",
    "--x",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mx.example.net",
    "",
    `Final-Recipient: rfc822; ${failed}`,
    "Action: failed",
    "Status: 5.1.1",
    "Diagnostic-Code: smtp; 550 5.1.1 No such user",
    "",
    "--x--",
    ".",
  ].join("\r\n");
  const client = await SmtpClient.connect(stack.dev.smtp.port);
  await client.reply();
  let last = "";
  for (const step of [
    "EHLO mx.example.net",
    "MAIL FROM:<>",
    `RCPT TO:<${recipient}>`,
    "DATA",
    message,
  ]) {
    last = await client.command(step);
    if (/^[45]/.test(last)) break;
  }
  client.close();
  return last;
}
