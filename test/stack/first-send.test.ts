// Tests a newcomer's first steps with what `npm start` starts: send one message over HTTP and one
// by SMTP, find both in the inbox and in the events, and receive a bounce that comes back as a
// report.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createConnection } from "node:net";
import { createTransport, type SendMailOptions } from "nodemailer";
import PostalMime from "postal-mime";
import { beforeAll, describe, expect, it } from "vitest";
import { hasTool } from "../support/outside-tools.ts";
import { publishedKey, verifyDkim } from "./dkim-reader.ts";
import { sharedStack } from "./shared-stack.ts";
import type { StackClient } from "./stack-client.ts";

let stack: StackClient;

beforeAll(async () => {
  stack = await (await sharedStack()).team("first-send.test");
});

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
    const { id } = (await (await stack.send("first@example.net", "First")).json()) as {
      id: string;
    };
    await settled(id, "email.sent", "email.delivered");
    const { raw } = await arrival("first@example.net");
    expect(await verifyDkim(raw, (host) => publishedKey(stack.dev.dns_url, host))).toBe("pass");
  });

  it.runIf(hasTool("dkimpy"))("has a signature that dkimpy accepts", async () => {
    await stack.send("dkimpy@example.net", "Signed");
    const { raw } = await arrival("dkimpy@example.net");
    const check =
      "import dkim,sys; print(dkim.verify(sys.stdin.buffer.read(), dnsfunc=lambda name, " +
      "timeout=5: sys.argv[1].encode()))";
    const host = /s=([^;]+);/.exec(raw.toString("latin1"))?.[1] ?? "";
    const key = await publishedKey(stack.dev.dns_url, `${host}._domainkey.${stack.domain}`);
    const { stdout } = spawnSync("/usr/bin/python3", ["-c", check, key], { input: raw });
    expect(stdout.toString().trim()).toBe("True");
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

  it("arrives with all its parts: names, texts, attachments, inline image, calendar", async () => {
    const picture = Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7) % 256));
    const calendar = "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n";
    const to = "smtp-parts@example.net";
    const response = await submit({
      from: `Jörg Müller <hello@${stack.domain}>`,
      to: `Zoë Ünal <${to}>`,
      subject: "Grüße, 你好",
      text: ".\n..\nZeile mit ü\n",
      html: '<p>Grüße</p><img src="cid:picture@example.test">',
      headers: { "X-Service-Tags": "welcome,new", "X-Own": "kept", Received: "from nowhere" },
      attachments: [
        { filename: "picture.png", content: picture, cid: "picture@example.test" },
        { filename: "bücher für alle.pdf", content: Buffer.from("%PDF-1.7\n") },
      ],
      icalEvent: { method: "REQUEST", content: calendar },
    });
    const [, id = ""] = /^250 2\.0\.0 (email_\S+)$/.exec(response) ?? [];
    const email = await PostalMime.parse((await arrival(to)).raw, {
      attachmentEncoding: "arraybuffer",
    });
    expect(email).toMatchObject({
      subject: "Grüße, 你好",
      from: { name: "Jörg Müller", address: `hello@${stack.domain}` },
      to: [{ name: "Zoë Ünal", address: to }],
      html: expect.stringContaining('<img src="cid:picture@example.test">'),
    });
    expect(email.text?.trim()).toBe(".\n..\nZeile mit ü");
    const part = (type: string) => email.attachments.find(({ mimeType }) => mimeType === type);
    expect(Buffer.from(part("image/png")!.content as ArrayBuffer)).toEqual(picture);
    expect(part("application/pdf")).toMatchObject({ filename: "bücher für alle.pdf" });
    expect(Buffer.from(part("text/calendar")!.content as ArrayBuffer).toString()).toContain(
      "METHOD:REQUEST",
    );
    const names = email.headers.map(({ key }) => key);
    expect(names).toContain("x-own");
    expect(names).not.toContain("x-service-tags");
    expect(email.headers.filter(({ value }) => value.includes("nowhere"))).toEqual([]);
    await settled(id, "email.sent", "email.delivered");
  });

  it("is refused with SMTP replies, and nothing is delivered", async () => {
    const to = "smtp-refused@example.net";
    const headers = { "X-Service-Tags": "not a tag!" };
    await expect(submit({ to, headers })).rejects.toMatchObject({
      response: expect.stringMatching(/^554 5\.6\.0 tags/) as string,
    });
    expect(await stack.inbox(`&to=${to}`)).toEqual([]);
  });

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
  const socket = createConnection(stack.dev.smtp.port, "127.0.0.1");
  const steps = ["EHLO mx.example.net", "MAIL FROM:<>", `RCPT TO:<${recipient}>`, "DATA", message];
  let last = "";
  for await (const chunk of socket) {
    last = String(chunk);
    const step = steps.shift();
    if (step === undefined || /^[45]/.test(last)) break;
    socket.write(`${step}\r\n`);
  }
  return last;
}
