// The inbox over its real doors: SMTP in, HTTP out, its rules at every stage, and what it keeps
// through a kill.
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { fork } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Inbox, startInbox } from "../../dev/inbox/inbox.ts";
import { SmtpClient } from "../support/smtp-client.ts";

let directory: string;
let inbox: Inbox;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "inbox-"));
  inbox = await startInbox({ http: 0, mx: 0 }, directory);
});

afterEach(async () => {
  await inbox.close();
  rmSync(directory, { recursive: true });
});

interface Head {
  id: string;
  mail_from: string;
  rcpt_to: string[];
  subject: string;
  received_at: string;
  size: number;
  tls: string | null;
}

async function api(path: string, method = "GET", body?: unknown): Promise<Response> {
  return fetch(`http://127.0.0.1:${inbox.httpPort}${path}`, {
    method,
    body: body === undefined ? null : JSON.stringify(body),
  });
}

async function messages(query = ""): Promise<Head[]> {
  return (await api(`/api/messages${query}`)).json() as Promise<Head[]>;
}

async function raw(id: string | undefined): Promise<Buffer> {
  return Buffer.from(await (await api(`/api/messages/${id}/raw`)).arrayBuffer());
}

async function rules(...list: unknown[]): Promise<Response> {
  return api("/api/rules", "PUT", { rules: list });
}

/**
 * Sends a message from MAIL to the final dot; the reply to the last command that was answered
 * otherwise than expected, or to the dot.
 */
async function send(
  content: string | Buffer = "Subject: hi\r\n\r\nhello\r\n",
  rcptTo?: string,
): Promise<string> {
  const client = await SmtpClient.withEnvelope(inbox.mxPort, rcptTo);
  await client.command("DATA");
  client.send(content);
  const reply = await client.command(".");
  client.close();
  return reply;
}

/** A connection whose next command names a recipient. */
async function atRecipient(): Promise<SmtpClient> {
  const client = await SmtpClient.connect(inbox.mxPort);
  await client.reply();
  await client.command("EHLO test");
  await client.command("MAIL FROM:<sam@example.test>");
  return client;
}

describe("what is kept", () => {
  it("keeps every byte but the stuffed dots", async () => {
    const bytes = Buffer.from(
      Array.from({ length: 256 }, (_, index) => index).filter((byte) => byte !== 13 && byte !== 10),
    );
    const content = Buffer.concat([
      Buffer.from("..top\r\nSubject: x\r\n\r\n"),
      bytes,
      Buffer.from("\r\n...\r\n..\r\na\nb\rc\n.\nd\r\n"),
    ]);
    expect(await send(content)).toMatch(/^250 2\.0\.0 /);
    const [message] = await messages();
    const expected = Buffer.concat([
      Buffer.from(".top\r\nSubject: x\r\n\r\n"),
      bytes,
      Buffer.from("\r\n..\r\n.\r\na\nb\rc\n.\nd\r\n"),
    ]);
    expect((await raw(message?.id)).equals(expected)).toBe(true);
    expect(message?.size).toBe(expected.length);
  });

  it("finds the end of the content wherever the packets are cut", async () => {
    const client = await SmtpClient.withEnvelope(inbox.mxPort);
    await client.command("DATA");
    for (const byte of "a\r\n..b\r\n\r\n.\r\n") {
      client.send(byte);
      await new Promise(setImmediate);
    }
    expect(await client.reply()).toMatch(/^250/);
    client.close();
    expect((await raw((await messages())[0]?.id)).toString()).toBe("a\r\n.b\r\n\r\n");
  });

  it("takes pipelined commands and several messages on one connection", async () => {
    const client = await SmtpClient.connect(inbox.mxPort);
    const one =
      'MAIL FROM:<>\r\nRCPT TO:<a@example.net>\r\nRCPT TO:<"b >"@example.net>\r\nDATA\r\n';
    client.send(`EHLO test\r\n${one}`);
    await client.reply();
    await client.reply();
    expect(
      [await client.reply(), await client.reply(), await client.reply(), await client.reply()].map(
        (reply) => reply.slice(0, 3),
      ),
    ).toEqual(["250", "250", "250", "354"]);
    client.send(`.\r\n${one}`);
    expect(await client.reply()).toMatch(/^250/);
    client.close();
    const [message] = await messages();
    expect(message).toMatchObject({
      mail_from: "",
      rcpt_to: ["a@example.net", '"b >"@example.net'],
      size: 0,
      tls: null,
    });
  });

  it("lists newest first, by exact recipient in any case, up to a limit", async () => {
    await send("Subject: =?utf-8?q?caf=C3=A9?=\r\n\r\n", "One@Example.net");
    await send("subject: two\r\n parts\r\n\r\n", "two@example.net");
    expect((await messages()).map((message) => message.subject)).toEqual(["two parts", "café"]);
    expect((await messages("?to=one@EXAMPLE.NET")).map((message) => message.rcpt_to)).toEqual([
      ["One@Example.net"],
    ]);
    expect(await messages("?to=ne@example.net")).toEqual([]);
    expect(await messages("?limit=1")).toHaveLength(1);
    expect((await api("/api/messages?limit=none")).status).toBe(400);
  });

  it("takes mail over STARTTLS from an ordinary client", async () => {
    const transport = createTransport({
      host: "127.0.0.1",
      port: inbox.mxPort,
      requireTLS: true,
      tls: { rejectUnauthorized: false },
    });
    await transport.sendMail({
      from: "sam@example.test",
      to: "rita@example.net",
      subject: "secret",
      text: "hello",
      html: "<b>hello</b>",
    });
    transport.close();
    expect((await messages())[0]).toMatchObject({
      subject: "secret",
      tls: "TLSv1.3",
      mail_from: "sam@example.test",
    });
  });

  it("drops commands that were sent ahead of the handshake", async () => {
    const client = await SmtpClient.connect(inbox.mxPort);
    await client.reply();
    await client.command("EHLO test");
    client.send("STARTTLS\r\nMAIL FROM:<sam@example.test>\r\n");
    expect(await client.reply()).toBe("500 5.5.2 commands behind STARTTLS\r\n");
    expect(await client.reply()).toBe("");
  });

  it("keeps messages through a restart, and forgets them when told to", async () => {
    await send();
    const before = await messages();
    await inbox.close();
    inbox = await startInbox({ http: 0, mx: 0 }, directory);
    expect(await messages()).toEqual(before);
    expect((await raw(before[0]?.id)).toString()).toBe("Subject: hi\r\n\r\nhello\r\n");
    expect((await api("/api/messages", "DELETE")).status).toBe(204);
    expect(await messages()).toEqual([]);
    await send();
    expect(await messages()).toHaveLength(1);
  });

  it("cuts off what a kill left half written, and goes on after it", async () => {
    await send("Subject: whole\r\n\r\n");
    await inbox.close();
    const length = Buffer.from([0, 0, 0, 40]);
    appendFileSync(
      join(directory, "messages"),
      Buffer.concat([length, Buffer.from('{"id":"torn"')]),
    );
    inbox = await startInbox({ http: 0, mx: 0 }, directory);
    await send("Subject: next\r\n\r\n");
    await inbox.close();
    inbox = await startInbox({ http: 0, mx: 0 }, directory);
    expect((await messages()).map((message) => message.subject)).toEqual(["next", "whole"]);
  });

  it("loses nothing that it answered 250 to when it is killed", async () => {
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
    ).json()) as Head[];
    await again.close();
    expect(answered.length).toBeGreaterThanOrEqual(100);
    expect(kept.map((message) => message.subject)).toEqual(expect.arrayContaining(answered));
  });
});

it("stands on several addresses, which rules tell apart", async () => {
  const two = await startInbox({ http: 0, mx: 0 }, join(directory, "two"), [
    "127.0.0.1",
    "127.0.0.2",
  ]);
  const body = JSON.stringify({
    rules: [{ stage: "connect", server: "127.0.0.2", reply: "421 4.3.2 busy" }],
  });
  await fetch(`http://127.0.0.1:${two.httpPort}/api/rules`, { method: "PUT", body });
  expect(await (await SmtpClient.connect(two.mxPort)).reply()).toMatch(/^220/);
  expect(await (await SmtpClient.connect(two.mxPort, "127.0.0.1", "127.0.0.2")).reply()).toBe(
    "421 4.3.2 busy\r\n",
  );
  await two.close();
});

describe("rules", () => {
  it("sends a reply exactly as it is written, at each stage", async () => {
    const reply = "451-4.7.1  try\n451 4.7.1 later ; 5.1.1";
    const wire = "451-4.7.1  try\r\n451 4.7.1 later ; 5.1.1\r\n";
    await rules({ stage: "connect", reply });
    expect(await (await SmtpClient.connect(inbox.mxPort)).reply()).toBe(wire);
    await rules({ stage: "mail", reply });
    const client = await SmtpClient.connect(inbox.mxPort);
    await client.reply();
    await client.command("EHLO test");
    expect(await client.command("MAIL FROM:<sam@example.test>")).toBe(wire);
    await rules({ stage: "rcpt", reply });
    await client.command("MAIL FROM:<sam@example.test>");
    expect(await client.command("RCPT TO:<rita@example.net>")).toBe(wire);
    await rules({ stage: "data", reply });
    await client.command("RCPT TO:<rita@example.net>");
    expect(await client.command("DATA")).toBe(wire);
    await rules({ stage: "end", reply });
    expect(await client.command("DATA")).toMatch(/^354/);
    expect(await client.command("hello\r\n.")).toBe(wire);
    expect(await messages()).toEqual([]);
    client.close();
  });

  it("refuses only the recipients that match, and takes the others", async () => {
    await rules({ rcpt: "^gone@", stage: "rcpt", reply: "550 5.1.1 No such user here" });
    const client = await SmtpClient.withEnvelope(inbox.mxPort);
    expect(await client.command("RCPT TO:<Gone@example.net>")).toBe(
      "550 5.1.1 No such user here\r\n",
    );
    await client.command("DATA");
    expect(await client.command("hello\r\n.")).toMatch(/^250/);
    client.close();
    expect((await messages())[0]?.rcpt_to).toEqual(["rita@example.net"]);
  });

  it("counts uses, and starts anew when rules are put", async () => {
    const rule = { rcpt: "rita", stage: "end", reply: "452 4.2.2 full", times: 2 };
    await rules(rule);
    expect(
      [await send(), await send(undefined, "other@example.net"), await send(), await send()].map(
        (reply) => reply.slice(0, 3),
      ),
    ).toEqual(["452", "250", "452", "250"]);
    expect(await (await api("/api/rules")).json()).toEqual({ rules: [rule], used: [2] });
    await rules(rule);
    expect(await send()).toBe("452 4.2.2 full\r\n");
  });

  it("hangs up without a reply, and keeps nothing of it", async () => {
    for (const stage of ["connect", "mail", "rcpt", "data", "end"]) {
      await rules({ stage, drop: true, times: 1 });
      const client = await SmtpClient.connect(inbox.mxPort);
      client.send(
        "EHLO test\r\nMAIL FROM:<sam@example.test>\r\nRCPT TO:<rita@example.net>\r\nDATA\r\n",
      );
      let replies = 0;
      for (let reply = await client.reply(); reply !== ""; reply = await client.reply()) {
        replies += 1;
        if (reply.startsWith("354")) client.send("hello\r\n.\r\n");
      }
      expect(replies).toBe({ connect: 0, mail: 2, rcpt: 3, data: 4, end: 5 }[stage]);
    }
    expect(await messages()).toEqual([]);
  });

  it("hangs up without a reply and keeps the message, where that is asked for", async () => {
    await rules({ stage: "end", drop: true, keep: true, times: 1 });
    expect(await send()).toBe("");
    expect(await messages()).toHaveLength(1);
  });

  it("refuses STARTTLS, or breaks the handshake off", async () => {
    await rules(
      { stage: "starttls", reply: "454 4.7.0 not now", times: 1 },
      { stage: "starttls", drop: true, times: 1 },
    );
    const client = await SmtpClient.connect(inbox.mxPort);
    await client.reply();
    await client.command("EHLO test");
    expect(await client.command("STARTTLS")).toBe("454 4.7.0 not now\r\n");
    expect(await client.command("NOOP")).toMatch(/^250/);
    expect(await client.command("STARTTLS")).toMatch(/^220/);
    expect(await client.reply()).toBe("");
    client.close();
  });

  it("delays, then looks at the rules that follow", async () => {
    const twice = { stage: "rcpt", rcpt: "rita", delay_ms: 150 };
    await rules(
      twice,
      { ...twice, reply: "450 4.2.1 slow" },
      { stage: "rcpt", rcpt: "sam", delay_ms: 200 },
    );
    const replies: string[] = [];
    const clients = await Promise.all(
      ["rita", "sam", "tom"].map(async (name) => [name, await atRecipient()] as const),
    );
    // Asked last, answered first: each waits as long as its rules say together.
    await Promise.all(
      clients.map(async ([name, client]) =>
        replies.push(`${name} ${await client.command(`RCPT TO:<${name}@example.net>`)}`),
      ),
    );
    expect(replies).toEqual([
      expect.stringMatching(/^tom 250/),
      expect.stringMatching(/^sam 250/),
      "rita 450 4.2.1 slow\r\n",
    ]);
    for (const [, client] of clients) client.close();
  });

  it("keeps the message under a positive reply of a rule", async () => {
    await rules({ stage: "end", reply: "250 2.0.0 queued as 7" });
    expect(await send()).toBe("250 2.0.0 queued as 7\r\n");
    expect(await messages()).toHaveLength(1);
  });

  it("says what is wrong with a rule, and leaves the old ones in force", async () => {
    await rules({ stage: "rcpt", delay_ms: 1 });
    const bad: [unknown, string][] = [
      [{ stage: "rcpt" }, "rules.0: has none of reply, drop and delay_ms"],
      [
        { stage: "quit", drop: true },
        "rules.0.stage: is not one of connect, starttls, mail, rcpt, data, end",
      ],
      [{ stage: "rcpt", reply: "nope" }, "rules.0.reply: is not an SMTP reply"],
      [{ stage: "rcpt", reply: "450-4.2.1 unfinished" }, "rules.0.reply: is not an SMTP reply"],
      [{ stage: "rcpt", drop: true, rcpt: "(" }, "rules.0.rcpt: is not a regular expression"],
      [
        { stage: "rcpt", drop: true, times: 0 },
        "rules.0.times: is not a whole number of at least 1",
      ],
      [{ stage: "rcpt", drop: true, delay: 5 }, "rules.0.delay: is not a member of a rule"],
      [{ stage: "rcpt", drop: true, server: "localhost" }, "rules.0.server: is not an IP address"],
      [
        { stage: "rcpt", drop: true, keep: true },
        "rules.0.keep: is not true or false, with drop at the stage end",
      ],
      [
        { stage: "end", reply: "250 ok", keep: true },
        "rules.0.keep: is not true or false, with drop at the stage end",
      ],
      ["rcpt", "rules.0: is not an object"],
    ];
    for (const [rule, message] of bad) {
      const response = await rules(rule);
      expect(response.status).toBe(400);
      expect(((await response.json()) as { error: { message: string } }).error.message).toContain(
        message,
      );
    }
    expect((await api("/api/rules", "PUT", { rules: {} })).status).toBe(400);
    expect(((await (await api("/api/rules")).json()) as { rules: unknown }).rules).toEqual([
      { stage: "rcpt", delay_ms: 1 },
    ]);
  });
});

describe("the page", () => {
  it("shows a message without letting its scripts or its styles out", async () => {
    const transport = createTransport({ host: "127.0.0.1", port: inbox.mxPort, ignoreTLS: true });
    const png = Buffer.from("89504e470d0a1a0a", "hex");
    const attachments = [
      { filename: "dot.png", content: png, cid: "dot@example" },
      { filename: 'ünï "x".html', content: "<script>alert(1)</script>" },
    ];
    await transport.sendMail({
      from: "sam@example.test",
      to: "rita@example.net",
      subject: "s",
      html: '<img src="cid:dot@example"><script>alert(1)</script>',
      attachments,
    });
    transport.close();
    const [message] = await messages();
    const view = (await (await api(`/api/messages/${message?.id}`)).json()) as {
      has_html: boolean;
      attachments: { filename: string }[];
    };
    expect(view).toMatchObject({ id: message?.id, has_html: true });
    expect(view.attachments.map((attachment) => attachment.filename)).toEqual([
      "dot.png",
      'ünï "x".html',
    ]);
    const html = await api(`/api/messages/${message?.id}/html`);
    expect(html.headers.get("content-security-policy")).toMatch(
      /^sandbox (?!.*allow-(?:scripts|same-origin)).*default-src 'none'/,
    );
    expect(await html.text()).toContain(`src="data:image/png;base64,${png.toString("base64")}"`);
    const download = await api(`/api/messages/${message?.id}/attachments/1`);
    expect(download.headers.get("content-disposition")).toBe(
      "attachment; filename*=UTF-8''%C3%BCn%C3%AF%20%22x%22.html",
    );
    expect(await download.text()).toBe("<script>alert(1)</script>");
    const page = await api("/");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await page.text()).not.toMatch(/(?:src|href)="https?:/);
  });

  it("answers 404 and 405 in plain words", async () => {
    expect((await api("/api/messages/none/raw")).status).toBe(404);
    expect((await api("/api/other")).status).toBe(404);
    expect((await api("/api/rules", "DELETE")).status).toBe(405);
  });
});
