// Tests that a kept message is sent again to one of its recipients (contract.md §Sending again).
import { beforeEach, describe, expect, it } from "vitest";
import type { Email } from "../../../src/mail/lookup/wire.ts";
import { call, errorsOf, ok } from "../../support/api.ts";
import { Harness, someone } from "../../support/harness.ts";
import { ofEachTest } from "../../support/before-tests.ts";

const harness = ofEachTest(Harness.make);

beforeEach(async () => {
  await ok(harness.patch("/v1/team", { content_days: 3 }));
});

const path = (id: string) => `/v1/email/${id}/send-again`;

/** Waits until the content of a message can be read. */
async function readable(id: string, events: number): Promise<string> {
  await harness.history(id, events);
  const status = async () => (await harness.get(`/v1/email/${id}/content`)).status;
  await expect.poll(status).toBe(200);
  return id;
}

async function again(id: string, body?: unknown): Promise<Email> {
  const sent = await ok<{ id: string }>(harness.post(path(id), body), 202);
  await harness.history(sent.id, 2);
  return harness.lookUp(sent.id);
}

/** The last copy that was mailed to an address. */
const lastRaw = (to: string) => harness.egress.to(to).at(-1)?.message ?? "";

describe("a message that is sent again", () => {
  it("goes to one recipient under a new Message-ID, with its own unsubscribe link", async () => {
    const [ann, bob] = [someone(), someone()];
    const id = await harness.send({
      to: [`Ann <${ann}>`],
      cc: [`Bob B. <${bob}>`],
      reply_to: "help@shop.example",
      text: "Leave: {{unsubscribe_url}}",
      topic: "news",
      metadata: { order: "17" },
      unsubscribe: { mode: "generate" },
    });
    await readable(id, 4);
    expect(await errorsOf(harness.post(path(id)), 422)).toEqual({
      to: ["is required, because the message had 2 recipients"],
    });
    for (const to of [someone(), "nobody", ""])
      expect(await errorsOf(harness.post(path(id), { to }), 422)).toEqual({
        to: ["must be a recipient of the message"],
      });
    const copy = await again(id, { to: bob.toUpperCase() });
    expect(copy).toMatchObject({
      copy_of: id,
      to: [bob],
      cc: [],
      topic: "news",
      metadata: { order: "17" },
    });
    const old = await harness.lookUp(id);
    expect(old).not.toHaveProperty("copy_of");
    expect(copy.message_id).toBe(`<${copy.id.slice(6)}@${harness.domain}>`);
    const raw = lastRaw(bob);
    expect(raw).toContain(`\r\nTo: "Bob B." <${bob}>\r\n`);
    expect(raw).not.toMatch(/^Cc:/m);
    expect(raw).toContain("\r\nReply-To: help@shop.example\r\n");
    expect(raw).toMatch(/Leave: https:\/\/postern\.test\/u\//);
  });

  it("keeps the octets of a message by SMTP, except for the header fields that each copy gets anew", async () => {
    const [to, hidden] = [someone(), someone()];
    const header = `From: hello@${harness.domain}\r\nTo: ${to}\r\nCc: c@receiver.example\r\nMessage-ID: <old@shop.example>\r\nDate: Thu, 1 Jan 2026 00:00:00 +0000\r\nX-Order: 17\r\nSubject: Hi`;
    const body = "\r\n\r\nas  written\r\n";
    const id = await harness.submit([to, hidden], header + body);
    await readable(id, 4);
    const copy = await again(id, { to: hidden });
    const raw = lastRaw(hidden);
    expect(raw.endsWith(body)).toBe(true);
    expect(raw).toContain(`\r\nTo: ${hidden}\r\n`);
    expect(raw).toContain("\r\nX-Order: 17\r\n");
    expect(raw).toContain(`\r\nMessage-ID: ${copy.message_id}\r\n`);
    expect(raw).not.toMatch(/^Cc:|old@shop\.example|1 Jan 2026/m);
  });

  it("is sent once under an idempotency key, and only from domains that the key may use", async () => {
    const to = someone();
    const id = await readable(await harness.send({ to: [to], text: "Hello." }), 2);
    const { key } = harness;
    const headers = { "Idempotency-Key": "again-1" };
    const answers = await Promise.all(
      [1, 2].map(async () => {
        const response = await call("POST", path(id), { key, headers, body: {} });
        return response.status === 409 ? "409" : (await response.json<{ id: string }>()).id;
      }),
    );
    const copy = answers.find((answer) => answer !== "409");
    const replay = await call("POST", path(id), { key, headers, body: {} });
    expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
    expect(await replay.json()).toMatchObject({ id: copy });
    await harness.history(copy ?? "", 2);
    expect(harness.egress.to(to)).toHaveLength(2);
    const limits = { name: "Other", permissions: "full", allowed_domains: ["other.example"] };
    const limited = await ok<{ key: string }>(harness.post("/v1/api-keys", limits), 201);
    const refused = call("POST", path(id), { key: limited.key, body: {} });
    expect(Object.keys(await errorsOf(refused, 422))).toEqual(["from"]);
  });

  it("is refused with 404 if its content is not kept, and the idempotency key stays unused", async () => {
    const secret = await harness.send({ to: [someone()], text: "secret", sensitive: true });
    await harness.history(secret, 2);
    const { key } = harness;
    for (const id of [secret, secret, "email_x"]) {
      const headers = { "Idempotency-Key": `k-${id}` };
      const response = await call("POST", path(id), { key, headers, body: {} });
      expect([response.status, response.headers.has("RateLimit-Limit")]).toEqual([404, true]);
    }
  });
});
