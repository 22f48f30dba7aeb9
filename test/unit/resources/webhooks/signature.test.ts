// Tests the headers of a delivery and both signature schemes (src/resources/webhooks/signature.ts)
// against vectors/webhook-signatures.json. Other people's libraries must accept and refuse the same
// vectors.
import { createHmac, timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, it, vi } from "vitest";
import { signedHeaders } from "../../../../src/resources/webhooks/signature.ts";
import vectors from "../../../../vectors/webhook-signatures.json" with { type: "json" };

type Headers = Readonly<Record<string, string>>;

const { deliveries, verifications, tolerance_seconds: tolerance } = vectors;
const SENT_WITH_ALL = { "Content-Type": "application/json", "Accept-Encoding": "identity" };

/** Does the four steps of docs/webhooks.md §Verify the signature. */
function verifies(headers: Headers, body: string, secret: string, now: number): boolean {
  const parts = (headers["Service-Signature"] ?? "")
    .split(",")
    .map((part) => part.split("=") as [string, string]);
  const timestamp = parts.find(([name]) => name === "t")?.[1] ?? "";
  if (!(Math.abs(now - Number(timestamp)) <= tolerance)) return false;
  const expected = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  return parts.some(
    ([name, value]) =>
      name === "v1" &&
      value.length === expected.length &&
      timingSafeEqual(Buffer.from(value), Buffer.from(expected)),
  );
}

function verifiesByLibrary(headers: Headers, body: string, secret: string, now: number): boolean {
  vi.setSystemTime(now * 1_000);
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

describe("a delivery", () => {
  it.each(deliveries)("is signed as the vector says: $name", async (one) => {
    const signed = await signedHeaders({
      prefix: one.prefix,
      batchId: one.batch_id,
      eventId: one.event_id ?? undefined,
      timestamp: one.timestamp,
      body: new TextEncoder().encode(one.body),
      secrets: one.secrets,
    });
    expect(signed).toEqual(one.headers);
    expect(signed).toMatchObject({
      ...SENT_WITH_ALL,
      "User-Agent": `${one.prefix}-Webhooks/1.0`,
      "webhook-id": one.event_id ?? one.batch_id,
    });
  });

  it.each(deliveries)("is verified with each of its secrets: $name", (one) => {
    const { prefix, body, secrets, timestamp, headers: sent } = one;
    const headers: Headers = sent;
    const own = { "Service-Signature": headers[`${prefix}-Signature`] ?? "" };
    for (const secret of secrets) {
      expect(verifies(own, body, secret, timestamp)).toBe(true);
      expect(verifiesByLibrary(headers, body, secret, timestamp)).toBe(true);
    }
  });
});

describe("a receiver", () => {
  it.each(verifications)("judges as the vector says: $name", ({ refused, ...one }) => {
    const headers: Headers = one.headers;
    const verify = "webhook-signature" in headers ? verifiesByLibrary : verifies;
    const isGenuine = one.secrets.some((secret) => verify(headers, one.body, secret, one.now));
    expect(isGenuine).toBe(refused === null);
  });
});

it.each(vectors.secrets_refused)("the service never signs with the secret %j", async (secret) => {
  const body = new TextEncoder().encode("{}");
  const signed = { prefix: "Service", batchId: "wbt_1", timestamp: 1, body, secrets: [secret] };
  await expect(signedHeaders(signed)).rejects.toThrow("webhook's secret");
});
