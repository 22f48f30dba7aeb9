// Tests that an application for Resend can use the stack after a change of two environment
// variables (docs/from-resend.md): Resend's client sends, and a webhook reports a bounce to the
// application.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { createElement } from "react";
import { Resend } from "resend";
import { Webhook as Svix } from "svix";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { listenOnLoopback } from "../../tools/harness/loopback.ts";
import { sharedStack } from "./shared-stack.ts";
import type { StackClient } from "./stack-client.ts";

interface Heard {
  readonly headers: Record<string, string>;
  readonly body: string;
}

let stack: StackClient;
let resend: Resend;
let server: Server;
let origin: string;
const heard: Heard[] = [];

beforeAll(async () => {
  stack = await (await sharedStack()).team("resend-client.test");
  vi.stubEnv("RESEND_BASE_URL", stack.dev.api_url);
  vi.stubEnv("RESEND_API_KEY", stack.dev.api_key);
  resend = new Resend();
  vi.unstubAllEnvs();
  server = createServer((request, response) => void serve(request, response));
  origin = `http://127.0.0.1:${await listenOnLoopback(server)}`;
});

afterAll(() => {
  server.close();
});

/** GET returns a file to attach. POST takes a delivery. */
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === "POST")
    heard.push({
      headers: request.headers as Record<string, string>,
      body: await text(request),
    });
  response.end("a file");
}

it("a React element and a file by its URL arrive as HTML and attachment", async () => {
  const to = "react@example.net";
  const { error } = await resend.emails.send({
    from: `Acme <hello@${stack.domain}>`,
    to,
    subject: "Hi",
    react: createElement("p", null, "Dear ", createElement("b", null, "Ada")),
    attachments: [{ path: `${origin}/terms.txt` }],
  });
  expect(error).toBeNull();
  await expect.poll(() => stack.inbox(`&to=${to}`)).toHaveLength(1);
  const [message] = await stack.inbox(`&to=${to}`);
  const raw = (await stack.raw(message?.id ?? "")).toString();
  expect(raw).toContain("<b>Ada</b>");
  expect(raw).toMatch(/filename="?terms\.txt/);
  expect(raw).toContain(Buffer.from("a file").toString("base64"));
});

it("a webhook reports a bounce, and Resend's verifier and svix accept the delivery", async () => {
  const created = await resend.webhooks.create({
    endpoint: `${origin}/hook`,
    events: ["email.bounced", "contact.created"],
  });
  expect(created.error).toBeNull();
  const secret = created.data?.signing_secret ?? "";
  const sent = await resend.emails.send({
    from: `hello@${stack.domain}`,
    to: "bounced@simulator.postern.test",
    subject: "No such user",
    text: "Hello.",
    tags: [{ name: "order", value: "12" }],
  });
  await expect.poll(() => heard).toHaveLength(1);
  const { headers, body } = heard[0] ?? { headers: {}, body: "" };
  const event = resend.webhooks.verify({
    payload: body,
    headers: {
      id: headers["svix-id"] ?? "",
      timestamp: headers["svix-timestamp"] ?? "",
      signature: headers["svix-signature"] ?? "",
    },
    webhookSecret: secret,
  });
  expect(event).toMatchObject({
    type: "email.bounced",
    data: {
      email_id: sent.data?.id,
      to: ["bounced@simulator.postern.test"],
      subject: "No such user",
      tags: { order: "12" },
    },
  });
  expect(() => new Svix(secret).verify(body, headers)).not.toThrow();
  expect(() => new Svix(secret).verify(`${body} `, headers)).toThrow();
  expect(await resend.emails.get(sent.data?.id ?? "")).toMatchObject({
    data: { last_event: "bounced" },
  });
});
