// Tests the inbox over its real interfaces: SMTP in, HTTP out. inbox-rules.test.ts tests its rules,
// and test/programs/dev/inbox-killed.test.ts which messages survive a kill.
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { describe, expect, it } from "vitest";
import { startInbox } from "../../tools/dev/inbox/inbox.ts";
import {
  api,
  directory,
  inbox,
  messages,
  openInbox,
  raw,
  send,
  useInbox,
} from "./inbox-harness.ts";
import { SmtpClient } from "../support/smtp-client.ts";

useInbox();

describe("a stored message", () => {
  it("keeps every byte except the stuffed dots", async () => {
    const octets = Array.from({ length: 256 }, (_, index) => index);
    const bytes = Buffer.from(octets.filter((byte) => byte !== 13 && byte !== 10));
    const around = (start: string, end: string) =>
      Buffer.concat([Buffer.from(start), bytes, Buffer.from(end)]);
    const content = around("..top\r\nSubject: x\r\n\r\n", "\r\n...\r\n..\r\na\nb\rc\n.\nd\r\n");
    expect(await send(content)).toMatch(/^250 2\.0\.0 /);
    const [message] = await messages();
    const expected = around(".top\r\nSubject: x\r\n\r\n", "\r\n..\r\n.\r\na\nb\rc\n.\nd\r\n");
    expect((await raw(message?.id)).equals(expected)).toBe(true);
    expect(message?.size).toBe(expected.length);
  });

  it("ends at the final dot, wherever the packets are cut", async () => {
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

  it("may come by pipelined commands, and over a connection with other messages", async () => {
    const client = await SmtpClient.connect(inbox.mxPort);
    const rcpts = 'RCPT TO:<a@example.net>\r\nRCPT TO:<"b >"@example.net>\r\n';
    const one = `MAIL FROM:<>\r\n${rcpts}DATA\r\n`;
    client.send(`EHLO test\r\n${one}`);
    await client.reply();
    await client.reply();
    for (const code of ["250", "250", "250", "354"])
      expect((await client.reply()).slice(0, 3)).toBe(code);
    client.send(`.\r\n${one}`);
    expect(await client.reply()).toMatch(/^250/);
    client.close();
    const [message] = await messages();
    expect(message).toMatchObject({
      mail_from: "",
      rcpt_to: ["a@example.net", '"b >"@example.net'],
      size: 0,
      tls: null,
      session: { client: expect.stringContaining("127.0.0.1") as string, helo: "test", message: 1 },
    });
  });

  it("is listed newest first, up to a limit, and is found by its exact recipient in any case", async () => {
    await send("Subject: =?utf-8?q?caf=C3=A9?=\r\n\r\n", "One@Example.net");
    await send("subject: two\r\n parts\r\n\r\n", "two@example.net");
    expect((await messages()).map((message) => message.subject)).toEqual(["two parts", "café"]);
    expect(await messages("?to=one@EXAMPLE.NET")).toMatchObject([{ rcpt_to: ["One@Example.net"] }]);
    expect(await messages("?to=ne@example.net")).toEqual([]);
    expect(await messages("?limit=1")).toHaveLength(1);
    expect((await api("/api/messages?limit=none")).status).toBe(400);
  });

  it("may come from an ordinary client over STARTTLS", async () => {
    const transport = createTransport({
      host: "127.0.0.1",
      port: inbox.mxPort,
      requireTLS: true,
      tls: { rejectUnauthorized: false },
    });
    const envelope = { from: "sam@example.test", to: "rita@example.net" };
    const content = { subject: "secret", text: "hello", html: "<b>hello</b>" };
    await transport.sendMail({ ...envelope, ...content });
    transport.close();
    const [message] = await messages();
    expect(message).toMatchObject({ subject: "secret", tls: "TLSv1.3", mail_from: envelope.from });
  });

  it("does not contain commands that were sent ahead of the handshake", async () => {
    const client = await SmtpClient.connect(inbox.mxPort);
    await client.reply();
    await client.command("EHLO test");
    client.send("STARTTLS\r\nMAIL FROM:<sam@example.test>\r\n");
    expect(await client.reply()).toBe("500 5.5.2 commands behind STARTTLS\r\n");
    expect(await client.reply()).toBe("");
  });

  it("survives a restart, and is deleted on request", async () => {
    await send();
    const before = await messages();
    await inbox.close();
    await openInbox();
    expect(await messages()).toEqual(before);
    expect((await raw(before[0]?.id)).toString()).toBe("Subject: hi\r\n\r\nhello\r\n");
    expect((await api("/api/messages", "DELETE")).status).toBe(204);
    expect(await messages()).toEqual([]);
    await send();
    expect(await messages()).toHaveLength(1);
  });
});

it("a message may arrive at several addresses, which rules can distinguish", async () => {
  const two = await startInbox({ http: 0, mx: 0 }, join(directory, "two"), [
    "127.0.0.1",
    "127.0.0.2",
  ]);
  const rule = { stage: "connect", server: "127.0.0.2", reply: "421 4.3.2 busy" };
  const body = JSON.stringify({ rules: [rule] });
  await fetch(`http://127.0.0.1:${two.httpPort}/api/rules`, { method: "PUT", body });
  expect(await (await SmtpClient.connect(two.mxPort)).reply()).toMatch(/^220/);
  const second = await SmtpClient.connect(two.mxPort, "127.0.0.1", "127.0.0.2");
  expect(await second.reply()).toBe("421 4.3.2 busy\r\n");
  await two.close();
});

describe("the page", () => {
  it("shows a message without letting its scripts or styles take effect outside its frame", async () => {
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
    const view: unknown = await (await api(`/api/messages/${message?.id}`)).json();
    const shown = [{ filename: "dot.png" }, { filename: 'ünï "x".html' }];
    expect(view).toMatchObject({ id: message?.id, has_html: true, attachments: shown });
    const html = await api(`/api/messages/${message?.id}/html`);
    const policy = /^sandbox (?!.*allow-(?:scripts|same-origin)).*default-src 'none'/;
    expect(html.headers.get("content-security-policy")).toMatch(policy);
    expect(await html.text()).toContain(`src="data:image/png;base64,${png.toString("base64")}"`);
    const download = await api(`/api/messages/${message?.id}/attachments/1`);
    const disposition = "attachment; filename*=UTF-8''%C3%BCn%C3%AF%20%22x%22.html";
    expect(download.headers.get("content-disposition")).toBe(disposition);
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
