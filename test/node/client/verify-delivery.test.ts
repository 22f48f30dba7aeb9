// Tests verifyWebhook (docs/contract.md §Signatures) with vectors/webhook-signatures.json: both
// signature schemes, several secrets, the allowed age, and the deliveries that it refuses.
import { describe, expect, it } from "vitest";
import {
  type HeaderBag,
  verifyWebhook,
  WebhookSignatureError,
} from "../../../packages/postern/src/client/postern.ts";
import vectors from "../../../vectors/webhook-signatures.json" with { type: "json" };

/** The error message that verifyWebhook throws for each reason in the vectors. */
const WORDS: Readonly<Record<string, RegExp>> = {
  signature: /^none of the secrets signed this delivery$/,
  time: /^the delivery was not signed within 300 s of now$/,
  unreadable: /^the delivery was not signed within 300 s of now$/,
  missing: /^the delivery has no signature$/,
};
const { verifications, deliveries } = vectors;
const genuine = verifications.filter(({ refused }) => refused === null);
/**
 * A delivery of the format `batch` has a list of events; a delivery of the format `resend` is one
 * event.
 */
const formatOf = (body: string) => (body.includes(`"events":`) ? "batch" : "resend");

const renamed = (
  headers: Record<string, string>,
  form: (name: string, value: string) => [string, string | string[]],
): HeaderBag =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => form(name, value)));

describe("a delivery", () => {
  it.each(verifications)(
    "is judged as the vector says: $name",
    async ({ refused, now, ...one }) => {
      const { headers, body, secrets } = one;
      const options = { now: now * 1_000, format: formatOf(body) } as const;
      const judged = verifyWebhook(body, headers, secrets, options);
      if (refused === null) return expect(await judged).toEqual(JSON.parse(body));
      const error: unknown = await judged.catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(WebhookSignatureError);
      expect((error as Error).message).toMatch(WORDS[refused] ?? /^$/);
    },
  );

  it.each(deliveries)("with all its headers is verified by each secret: $name", async (one) => {
    const format = formatOf(one.body);
    const options = { now: one.timestamp * 1_000, headerPrefix: one.prefix, format } as const;
    const { [`${one.prefix}-Signature`]: own = "" } = one.headers as Record<string, string>;
    for (const secret of one.secrets)
      for (const headers of [one.headers, { [`${one.prefix}-Signature`]: own }])
        await verifyWebhook(one.body, headers, secret, options);
  });

  it.each<[string, (headers: Record<string, string>) => HeaderBag]>([
    ["Headers", (headers) => new Headers(headers)],
    ["an object with get", (headers) => ({ get: (name) => new Headers(headers).get(name) })],
    [
      "Node's lower-case record",
      (headers) => renamed(headers, (name, value) => [name.toLowerCase(), value]),
    ],
    ["lists of values", (headers) => renamed(headers, (name, value) => [name, [value]])],
  ])("is verified with headers as %s, and with text or bytes as its body", async (_name, form) => {
    for (const { headers, body, secrets, now } of genuine) {
      const bytes = new TextEncoder().encode(body);
      const options = { now: now * 1_000, format: formatOf(body) } as const;
      for (const sent of [body, bytes, bytes.buffer])
        await verifyWebhook(sent, form(headers as Record<string, string>), secrets, options);
    }
  });

  it("is accepted within the receiver's own tolerance, and by default compared with the present time", async () => {
    const [{ headers, body, secrets, now }] = genuine as [(typeof genuine)[0]];
    const verify = (options: object) => verifyWebhook(body, headers, secrets, options);
    await verify({ now: (now + 301) * 1_000, toleranceSeconds: 400 });
    await expect(verify({})).rejects.toBeInstanceOf(WebhookSignatureError);
  });

  it.each(vectors.secrets_refused)("is not verified with the secret %j", async (secret) => {
    const [{ headers, body, now }] = genuine as [(typeof genuine)[0]];
    const judged = verifyWebhook(body, headers, secret, { now: now * 1_000 });
    await expect(judged).rejects.toBeInstanceOf(TypeError);
  });

  it("of a single event is verified by Svix's headers, and is not taken for a batch", async () => {
    const single = deliveries.find(({ headers }) => "svix-id" in headers)!;
    const [batch] = deliveries as [(typeof deliveries)[0]];
    const all = Object.entries(single.headers);
    const svix = Object.fromEntries(all.filter(([name]) => name.startsWith("svix-")));
    const now = single.timestamp * 1_000;
    const event = await verifyWebhook(single.body, svix, single.secrets, { now, format: "resend" });
    expect(event.type).toBe("email.bounced");
    const mistaken = verifyWebhook(single.body, svix, single.secrets, { now });
    await expect(mistaken).rejects.toThrow(/has the format resend/);
    const options = { now, format: "resend" } as const;
    const other = verifyWebhook(batch.body, batch.headers, batch.secrets, options);
    await expect(other).rejects.toThrow(/has the format batch/);
  });
});
