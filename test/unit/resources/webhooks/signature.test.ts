// Tests the headers of a delivery and both signature schemes (src/resources/webhooks/signature.ts):
// with a library that others verify with, by the steps of contract.md §Signatures, and by a
// published vector.
import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { signedHeaders } from "../../../../src/resources/webhooks/signature.ts";

const newSecret = () =>
  `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64")}`;
const now = () => Math.floor(Date.now() / 1_000);
const BODY = '{"batch_id":"wbt_1","events":[{"message":"é ✓ \u{1f389}"}]}';

type Signed = Parameters<typeof signedHeaders>[0];

const signed = (changes: Partial<Signed> = {}): Signed => ({
  prefix: "Service",
  batchId: "wbt_1",
  timestamp: now(),
  body: new TextEncoder().encode(BODY),
  secrets: [newSecret()],
  ...changes,
});

/**
 * Does the four steps of docs/webhooks.md §Verify the signature, with a tolerance of five minutes.
 */
function verifies(headers: Record<string, string>, body: string, secret: string): boolean {
  const parts = (headers["Service-Signature"] ?? "")
    .split(",")
    .map((part) => part.split("=") as [string, string]);
  const timestamp = parts.find(([name]) => name === "t")?.[1] ?? "";
  if (timestamp !== headers["Service-Timestamp"] || Math.abs(now() - Number(timestamp)) > 300)
    return false;
  const expected = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  return parts.some(
    ([name, value]) =>
      name === "v1" &&
      value.length === 64 &&
      timingSafeEqual(Buffer.from(value), Buffer.from(expected)),
  );
}

const standard = (headers: Record<string, string>, body: string, secret: string): unknown =>
  new Webhook(secret).verify(body, headers);

it("makes exactly the headers of a delivery", async () => {
  expect(await signedHeaders(signed({ timestamp: 1_700_000_000 }))).toEqual({
    "Content-Type": "application/json",
    "Accept-Encoding": "identity",
    "User-Agent": "Service-Webhooks/1.0",
    "Service-Signature": expect.stringMatching(/^t=1700000000,v1=[0-9a-f]{64}$/),
    "Service-Timestamp": "1700000000",
    "Service-Batch-Id": "wbt_1",
    "webhook-id": "wbt_1",
    "webhook-timestamp": "1700000000",
    "webhook-signature": expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
  });
});

it("names a single event instead of its batch, and repeats the headers as Svix's packages read them", async () => {
  const secret = newSecret();
  const headers = await signedHeaders(signed({ secrets: [secret], eventId: "evt_1" }));
  const { "webhook-signature": signature, "webhook-timestamp": timestamp } = headers;
  expect(headers).toMatchObject({
    "Service-Batch-Id": "wbt_1",
    "webhook-id": "evt_1",
    "svix-id": "evt_1",
    "svix-timestamp": timestamp,
    "svix-signature": signature,
  });
  expect(verifies(headers, BODY, secret)).toBe(true);
  expect(standard(headers, BODY, secret)).toEqual(JSON.parse(BODY));
});

it("signs as the Standard Webhooks libraries do", async () => {
  const headers = await signedHeaders({
    prefix: "Service",
    batchId: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestamp: 1_614_265_330,
    body: new TextEncoder().encode('{"test": 2432232314}'),
    secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
  });
  expect(headers["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

describe.each([1, 2])("with %i active secrets", (count) => {
  const secrets = Array.from({ length: count }, newSecret);

  it("verifies in both schemes with each secret, and has one signature per secret, in order", async () => {
    const headers = await signedHeaders(signed({ secrets }));
    for (const secret of secrets) {
      expect(verifies(headers, BODY, secret)).toBe(true);
      expect(standard(headers, BODY, secret)).toEqual(JSON.parse(BODY));
    }
    const own = headers["Service-Signature"]?.match(/v1=[0-9a-f]+/g);
    expect(own).toHaveLength(count);
    const [first] = secrets;
    const alone = await signedHeaders(
      signed({ secrets: [first ?? ""], timestamp: Number(headers["webhook-timestamp"]) }),
    );
    expect(headers["Service-Signature"]?.startsWith(alone["Service-Signature"] ?? "-")).toBe(true);
    expect(headers["webhook-signature"]?.split(" ")).toHaveLength(count);
    expect(headers["webhook-signature"]?.startsWith(alone["webhook-signature"] ?? "-")).toBe(true);
  });

  it("does not verify with another secret, body, id or time, nor when it is old", async () => {
    const headers = await signedHeaders(signed({ secrets }));
    const [secret = ""] = secrets;
    const later = String(Number(headers["webhook-timestamp"]) + 1);
    const moved = {
      ...headers,
      "Service-Signature": (headers["Service-Signature"] ?? "").replace(/t=\d+/, `t=${later}`),
    };
    const stale = await signedHeaders(signed({ secrets, timestamp: now() - 301 }));
    expect(verifies(headers, BODY, newSecret())).toBe(false);
    expect(verifies(headers, `${BODY} `, secret)).toBe(false);
    expect(verifies({ ...moved, "Service-Timestamp": later }, BODY, secret)).toBe(false);
    expect(verifies(stale, BODY, secret)).toBe(false);
    for (const [given, body, key] of [
      [headers, BODY, newSecret()],
      [headers, `${BODY} `, secret],
      [{ ...headers, "webhook-id": "wbt_2" }, BODY, secret],
      [{ ...headers, "webhook-timestamp": later }, BODY, secret],
      [stale, BODY, secret],
    ] as const)
      expect(() => standard(given, body, key)).toThrow();
  });
});

it.each(["", "whsec_", "whsec_!", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])(
  "never signs with the secret %j",
  async (secret) => {
    await expect(signedHeaders(signed({ secrets: [secret] }))).rejects.toThrow("webhook's secret");
  },
);
