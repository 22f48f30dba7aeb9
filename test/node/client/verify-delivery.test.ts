// verifyWebhook (docs/contract.md §Signatures): both schemes, several secrets, the tolerance, and
// what it refuses, against signatures that Node's own crypto makes.
import { createHmac, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  type HeaderBag,
  verifyWebhook,
  WebhookSignatureError,
} from "../../../packages/postern/src/client/postern.ts";

const SECRET = `whsec_${randomBytes(32).toString("base64")}`;
const OTHER = `whsec_${randomBytes(32).toString("base64")}`;
const NOW = 1_790_000_000;
const BODY = JSON.stringify({
  batch_id: "wb_1",
  timestamp: NOW,
  events: [{ id: "evt_1", type: "email.bounced", occurred_at: "", data: { subject: "Grüße" } }],
});
const clock = { now: NOW * 1_000 };

function own(body: string, ...secrets: readonly string[]): Record<string, string> {
  const macs = secrets.map(
    (secret) => `v1=${createHmac("sha256", secret).update(`${NOW}.${body}`).digest("hex")}`,
  );
  return { "Service-Signature": [`t=${NOW}`, ...macs].join(",") };
}

function standard(body: string, ...secrets: readonly string[]): Record<string, string> {
  const macs = secrets.map((secret) => {
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    return `v1,${createHmac("sha256", key).update(`wb_1.${NOW}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": "wb_1",
    "webhook-timestamp": String(NOW),
    "webhook-signature": macs.join(" "),
  };
}

describe.each([
  ["Service-Signature", own],
  ["Standard Webhooks", standard],
])("a delivery signed by %s", (_, sign) => {
  it("is returned as it was sent, with typed events", async () => {
    const { events } = await verifyWebhook(BODY, sign(BODY, SECRET), SECRET, clock);
    const [event] = events;
    expect(event && "type" in event && event.type === "email.bounced" && event.data.subject).toBe(
      "Grüße",
    );
  });

  it.each<[string, (headers: Record<string, string>) => HeaderBag]>([
    ["Headers", (headers) => new Headers(headers)],
    [
      "Node's lower-case record",
      (headers) =>
        Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
        ),
    ],
    [
      "lists of values",
      (headers) =>
        Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    ],
  ])("is read from %s", async (_name, form) => {
    await verifyWebhook(BODY, form(sign(BODY, SECRET)), SECRET, clock);
  });

  it("is read from bytes", async () => {
    const bytes = new TextEncoder().encode(BODY);
    await verifyWebhook(bytes, sign(BODY, SECRET), SECRET, clock);
    await verifyWebhook(bytes.buffer, sign(BODY, SECRET), SECRET, clock);
  });

  it("is good with any of several secrets on either side, as in a rotation", async () => {
    await verifyWebhook(BODY, sign(BODY, OTHER, SECRET), SECRET, clock);
    await verifyWebhook(BODY, sign(BODY, SECRET), [OTHER, SECRET], clock);
  });

  it("is refused with another secret, another body, or too far from now", async () => {
    const headers = sign(BODY, SECRET);
    const refused = [
      () => verifyWebhook(BODY, headers, OTHER, clock),
      () => verifyWebhook(`${BODY} `, headers, SECRET, clock),
      () => verifyWebhook(BODY, headers, SECRET, { now: clock.now + 301_000 }),
      () => verifyWebhook(BODY, headers, SECRET, { now: clock.now - 301_000 }),
      () => verifyWebhook(BODY, headers, SECRET),
    ];
    for (const one of refused) await expect(one()).rejects.toBeInstanceOf(WebhookSignatureError);
    await verifyWebhook(BODY, headers, SECRET, { now: clock.now + 301_000, toleranceSeconds: 400 });
  });
});

describe("a delivery", () => {
  it("without a signature, or with one that can't be read, is refused", async () => {
    for (const headers of [{}, { "Service-Signature": "v1=00" }, { "Service-Signature": "" }])
      await expect(verifyWebhook(BODY, headers, SECRET, clock)).rejects.toBeInstanceOf(
        WebhookSignatureError,
      );
  });

  it("under the operator's own prefix is verified by that prefix", async () => {
    const { "Service-Signature": signature = "" } = own(BODY, SECRET);
    await verifyWebhook(BODY, { "Acme-Signature": signature }, SECRET, {
      ...clock,
      headerPrefix: "Acme",
    });
  });

  it("is not verified with a text that was never a secret", async () => {
    await expect(verifyWebhook(BODY, own(BODY, SECRET), "secret", clock)).rejects.toBeInstanceOf(
      TypeError,
    );
  });
});
