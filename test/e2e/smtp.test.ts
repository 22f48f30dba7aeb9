// Mail submitted by SMTP, through everything that `npm start` starts: messages of real clients
// arrive with the same parts, forbidden ones are refused in the protocol's words, and a bounce
// finds its way back.
import { readFileSync } from "node:fs";
import { createConnection } from "node:net";
import { createTransport, type SendMailOptions } from "nodemailer";
import PostalMime, { type Email } from "postal-mime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../tools/harness/loopback.ts";
import { Stack } from "./stack.ts";

let stack: Stack;
let returnPathPort: number;

beforeAll(async () => {
  returnPathPort = await freePort();
  stack = await Stack.start({ RETURN_PATH: "true", RETURN_PATH_PORTS: String(returnPathPort) });
});
afterAll(() => stack.destroy());

interface SmtpError {
  readonly responseCode: number;
  readonly response: string;
}

function transport(key = stack.dev.api_key) {
  const { host, port, user, ca } = stack.dev.smtp;
  return createTransport({
    host,
    port,
    requireTLS: true,
    tls: { ca: readFileSync(ca) },
    auth: { user, pass: key },
  });
}

async function send(message: SendMailOptions, key?: string): Promise<string> {
  const { response } = await transport(key).sendMail({
    from: "hello@example.test",
    subject: "Hello",
    text: "It works.",
    ...message,
  });
  return /^250 2\.0\.0 (email_\S+)$/.exec(response)?.[1] ?? response;
}

async function refusal(message: SendMailOptions, key?: string): Promise<string> {
  const outcome = await send(message, key).catch((error: SmtpError) => error);
  return typeof outcome === "string" ? outcome : outcome.response;
}

async function waitForMail(to: string): Promise<Email> {
  await expect.poll(() => stack.inbox(`&to=${to}`)).toHaveLength(1);
  const [message] = await stack.inbox(`&to=${to}`);
  return PostalMime.parse(await stack.raw(message?.id ?? ""), {
    attachmentEncoding: "arraybuffer",
  });
}

/** Creates a team with a verified domain of its own, and returns its key. */
async function newTeam(domain: string, wish: Record<string, unknown>): Promise<string> {
  const { api_url: api, dns_url: dns, admin_token: adminToken } = stack.dev;
  const team = await call<{ api_key: { key: string } }>("POST", `${api}/admin/teams`, adminToken, {
    name: domain,
    ...wish,
  });
  const { key } = team.api_key;
  const { id, dns_records: records } = await call<{
    id: string;
    dns_records: { type: string; name: string; value: string }[];
  }>("POST", `${api}/v1/domains`, key, { name: domain });
  for (const { type, name, value } of records)
    await call("PUT", `${dns}/records`, key, { name: `${name}.${domain}`, type, data: value });
  await call("POST", `${api}/v1/domains/${id}/verify`, key);
  return key;
}

async function call<Body>(
  method: string,
  url: string,
  token: string,
  body?: unknown,
): Promise<Body> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const response = await fetch(url, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Body;
}

describe("a message sent by SMTP", () => {
  it("arrives with all its parts: names, texts, attachments, inline image, calendar", async () => {
    const picture = Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7) % 256));
    const calendar = "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n";
    const id = await send({
      from: "Jörg Müller <hello@example.test>",
      to: "Zoë Ünal <smtp-parts@example.net>",
      replyTo: "antwort@example.test",
      subject: "Grüße, 你好",
      text: ".\n..\nZeile mit ü\n",
      html: '<p>Grüße</p><img src="cid:picture@example.test">',
      headers: { "X-Service-Tags": "welcome,new", "X-Own": "kept", Received: "from nowhere" },
      attachments: [
        { filename: "picture.png", content: picture, cid: "picture@example.test" },
        {
          filename: "bücher für alle.pdf",
          content: Buffer.from("%PDF-1.7\n"),
          contentType: "application/pdf",
        },
      ],
      icalEvent: { method: "REQUEST", content: calendar },
    });
    expect(id).toMatch(/^email_/);
    const email = await waitForMail("smtp-parts@example.net");
    expect(email).toMatchObject({
      subject: "Grüße, 你好",
      from: { name: "Jörg Müller", address: "hello@example.test" },
      to: [{ name: "Zoë Ünal", address: "smtp-parts@example.net" }],
      replyTo: [{ address: "antwort@example.test" }],
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
    expect(
      email.headers.find(({ key, value }) => key === "received" && value.includes("nowhere")),
    ).toBeUndefined();
    await expect.poll(() => stack.history(id)).toEqual(["email.sent", "email.delivered"]);
  });

  it("goes to the envelope's recipients, and does not reveal the hidden ones", async () => {
    await send({
      to: "smtp-to@example.net",
      cc: "smtp-cc@example.net",
      bcc: "smtp-bcc@example.net",
    });
    const email = await waitForMail("smtp-bcc@example.net");
    expect(
      email.headers.some(({ key, value }) => key === "bcc" || value.includes("smtp-bcc")),
    ).toBe(false);
    await waitForMail("smtp-to@example.net");
    await waitForMail("smtp-cc@example.net");
  });
});

describe("an SMTP client is refused", () => {
  const to = "smtp-refused@example.net";

  it("without TLS with 530", async () => {
    const { host, port } = stack.dev.smtp;
    const plain = createTransport({ host, port, ignoreTLS: true });
    const error = (await plain
      .sendMail({ from: "hello@example.test", to, text: "x" })
      .catch((caught: SmtpError) => caught)) as SmtpError;
    expect(error.response).toMatch(/^530 5\.7\.0 /);
  });

  it("for a wrong key with 535", async () => {
    expect(await refusal({ to }, "ps_wrong")).toMatch(/^535 5\.7\.8 /);
  });

  it("for another team's domain with 550", async () => {
    expect(await refusal({ from: "someone@example.com", to })).toMatch(/^550 5\.7\.1 from /);
  });

  it("for a message that breaks a rule with 554 and the reason", async () => {
    expect(await refusal({ to, headers: { "X-Service-Tags": "not a tag!" } })).toMatch(
      /^554 5\.6\.0 tags/,
    );
  });

  it("for 6 MB with 552", async () => {
    const attachments = [{ filename: "big.bin", content: Buffer.alloc(4_500_000, 1) }];
    expect(await refusal({ to, attachments })).toMatch(/^552 5\.3\.4 /);
  });

  it("over the quota with 452", async () => {
    const key = await newTeam("quota.test", { limits: { daily: 1 } });
    const message = { from: "a@quota.test", to: "smtp-quota@example.net" };
    expect(await send(message, key)).toMatch(/^email_/);
    expect(await refusal(message, key)).toMatch(/^452 4\.5\.3 /);
    await waitForMail("smtp-quota@example.net");
  });

  it("over the rate with 451", async () => {
    const key = await newTeam("rate.test", { limits: { requests_per_second: 1 } });
    const attempt = () => refusal({ from: "a@rate.test", to: "smtp-rate@example.net" }, key);
    const replies: string[] = [];
    // Sessions of a slow machine may be further apart than the rate demands.
    await expect
      .poll(async () => {
        replies.push(...(await Promise.all(Array.from({ length: 6 }, attempt))));
        return replies;
      })
      .toContainEqual(expect.stringMatching(/^451 4\.7\.1 /));
    expect(replies.filter((reply) => !/^(?:451 4\.7\.1 |email_)/.test(reply))).toEqual([]);
  });

  it("without a subscription with 550", async () => {
    const { api_key: unpaid } = await call<{ api_key: { key: string } }>(
      "POST",
      `${stack.dev.api_url}/admin/teams`,
      stack.dev.admin_token,
      {
        name: "smtp-unpaid",
        subscription: "inactive",
      },
    );
    expect(await refusal({ to }, unpaid.key)).toMatch(/^550 5\.7\.1 /);
  });

  it("and leaves nothing to deliver", async () => {
    expect(await stack.inbox(`&to=${to}`)).toEqual([]);
  });
});

describe("a bounce", () => {
  it("is accepted at the return-path without authentication, and no other mail is", async () => {
    await send({ to: "smtp-bounced@example.net" });
    await waitForMail("smtp-bounced@example.net");
    const [message] = await stack.inbox("&to=smtp-bounced@example.net");
    const returnPath = message?.mail_from ?? "";
    expect(returnPath).toMatch(/^b\+[a-z2-7]{61}@bounces\.example\.test$/);
    const report = [
      "From: MAILER-DAEMON@example.net",
      `To: ${returnPath}`,
      "Subject: Undelivered Mail Returned to Sender",
      "MIME-Version: 1.0",
      'Content-Type: multipart/report; report-type=delivery-status; boundary="x"',
      "",
      "--x",
      "",
      "The address does not exist.",
      "--x",
      "Content-Type: message/delivery-status",
      "",
      "Reporting-MTA: dns; mx.example.net",
      "",
      "Final-Recipient: rfc822; smtp-bounced@example.net",
      "Action: failed",
      "Status: 5.1.1",
      "Diagnostic-Code: smtp; 550 5.1.1 No such user",
      "",
      "--x--",
      "",
    ].join("\r\n");
    expect(await bounce(`<${returnPath}>`, report)).toMatch(/^250 2\.0\.0 /);
    expect(await bounce("<someone@example.net>", report)).toMatch(/^550 5\.7\.1 /);
    expect(await bounce(`<b+${"a".repeat(61)}@bounces.example.test>`, report)).toMatch(
      /^550 5\.7\.1 /,
    );
    const { port } = stack.dev.smtp;
    expect(await bounce(`<${returnPath}>`, report, port)).toMatch(/^250 2\.0\.0 /);
    expect(await bounce("<someone@example.net>", report, port)).toMatch(/^550 5\.7\.1 /);
  });
});

describe("an address that guesses keys", () => {
  it("is disconnected in the end", async () => {
    const replies: string[] = [];
    while (replies.length < 25 && !replies.at(-1)?.startsWith("421"))
      replies.push(await refusal({ to: "x@example.net" }, `ps_wrong${replies.length}`));
    expect(replies.at(-1)).toMatch(/^421 4\.7\.0 /);
    expect(replies.slice(0, -1).every((reply) => reply.startsWith("535 5.7.8 "))).toBe(true);
    expect(replies.length).toBeGreaterThanOrEqual(18);
  });
});

/** Delivers `report` to `recipient` as a mail server does, without TLS. Returns the last reply. */
async function bounce(recipient: string, report: string, port = returnPathPort): Promise<string> {
  const socket = createConnection(port, "127.0.0.1");
  const steps = [
    "EHLO mx.example.net",
    "MAIL FROM:<>",
    `RCPT TO:${recipient}`,
    "DATA",
    `${report}.`,
  ];
  let last = "";
  for await (const chunk of socket) {
    last = String(chunk);
    const step = steps.shift();
    if (step === undefined || /^[45]/.test(last)) break;
    socket.write(`${step}\r\n`);
  }
  return last;
}
