// Starts an inbox for each test, and calls it over SMTP and HTTP.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { type Inbox, startInbox } from "../../tools/dev/inbox/inbox.ts";
import type { MessageHead } from "../../tools/dev/inbox/inbox-store.ts";
import { SmtpClient } from "../support/smtp-client.ts";

export let directory: string;
export let inbox: Inbox;

/** Starts an inbox for each test of the calling file. */
export function useInbox(): void {
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "inbox-"));
    await openInbox();
  });
  afterEach(async () => {
    await inbox.close();
    rmSync(directory, { recursive: true });
  });
}

export async function openInbox(): Promise<void> {
  inbox = await startInbox({ http: 0, mx: 0 }, directory);
}

export async function api(path: string, method = "GET", body?: unknown): Promise<Response> {
  return fetch(`http://127.0.0.1:${inbox.httpPort}${path}`, {
    method,
    body: body === undefined ? null : JSON.stringify(body),
  });
}

export async function messages(query = ""): Promise<MessageHead[]> {
  return (await api(`/api/messages${query}`)).json() as Promise<MessageHead[]>;
}

export async function raw(id: string | undefined): Promise<Buffer> {
  return Buffer.from(await (await api(`/api/messages/${id}/raw`)).arrayBuffer());
}

export async function rules(...list: unknown[]): Promise<Response> {
  return api("/api/rules", "PUT", { rules: list });
}

/** Sends from MAIL to the final dot. Returns the first unexpected reply, or else the last. */
export async function send(
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

/** Opens an SMTP connection and sends MAIL FROM, so that the next command can be RCPT TO. */
export async function atRecipient(): Promise<SmtpClient> {
  const client = await SmtpClient.connect(inbox.mxPort);
  await client.reply();
  await client.command("EHLO test");
  await client.command("MAIL FROM:<sam@example.test>");
  return client;
}
