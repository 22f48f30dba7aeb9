// Tests the webhook receivers that users copy (examples/webhook-receivers). Each runs unchanged,
// and gets genuine and forged deliveries. A receiver whose language this machine lacks is skipped.
import { randomBytes } from "node:crypto";
import { request as post } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Stripe } from "stripe";
import { Webhook as Svix } from "svix";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signedHeaders } from "../../../src/resources/webhooks/signature.ts";
import { hasTool } from "../../support/outside-tools.ts";
import { FILES, LANGUAGES, RUN_FILES, RunningReceiver } from "./webhook-receivers.ts";

interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
const SECRET = newSecret();
const MINUTE = 60;
const AHEAD = "of a clock six minutes ahead";

const EVENT = {
  id: "evt_019e5b6c943e7e35b378f74400936f31",
  type: "email.delivered",
  occurred_at: "2026-11-21T09:29:59.486Z",
  data: {
    email_id: "email_019e5b6c-943e-7e35-b378-f74400936f31",
    recipient: "ada@example.org",
    from: "Example Shop <shop@example.test>",
    subject: "Grüße ✓ \u{1f389} & <b>\u2028",
    message_id: "<019e5b6c-943e-7e35-b378-f74400936f31@example.test>",
    tags: ["a", "b"],
    attempt: 1,
  },
};

/** Makes a webhook delivery that was signed `age` seconds ago. */
async function delivery(secrets: readonly string[], age = 0, eventId?: string): Promise<Delivery> {
  const timestamp = Math.floor(Date.now() / 1_000) - age;
  const body = JSON.stringify({ batch_id: "wb_1", timestamp, events: [EVENT] });
  const signed = {
    prefix: "Service",
    batchId: "wb_1",
    eventId,
    timestamp,
    body: new TextEncoder().encode(body),
    secrets,
  };
  return { headers: await signedHeaders(signed), body };
}

/** Returns a delivery with a changed body, and its signatures unchanged. */
async function withBody(change: (body: string) => string): Promise<Delivery> {
  const made = await delivery([SECRET]);
  return { ...made, body: change(made.body) };
}

async function withHeaders(
  change: (headers: Delivery["headers"]) => Delivery["headers"],
  age = 0,
): Promise<Delivery> {
  const made = await delivery([SECRET], age);
  return { ...made, headers: change(made.headers) };
}

/**
 * Returns a delivery whose two signatures (the service's own and that of Standard Webhooks) are
 * changed by these functions.
 */
function withSignatures(
  own: (header: string) => string,
  standard: (header: string) => string,
): Promise<Delivery> {
  return withHeaders((headers) => ({
    ...headers,
    "Service-Signature": own(headers["Service-Signature"] ?? ""),
    "webhook-signature": standard(headers["webhook-signature"] ?? ""),
  }));
}

/** Returns the time in the service's own signature. */
function timeOf(header: string): string {
  return header.split(",")[0] ?? "";
}

/**
 * Returns a delivery that was signed too long ago, with the present time in its headers but the old
 * signature.
 */
function withNewDate(): Promise<Delivery> {
  const now = String(Math.floor(Date.now() / 1_000));
  return withHeaders(
    (headers) => ({
      ...headers,
      "Service-Signature": (headers["Service-Signature"] ?? "").replace(/t=\d+/, `t=${now}`),
      "Service-Timestamp": now,
      "webhook-timestamp": now,
    }),
    6 * MINUTE,
  );
}

/** Removes all headers about a signature. */
function unsigned(headers: Delivery["headers"]): Delivery["headers"] {
  const signing = /^(?:Service-(?:Signature|Timestamp)|webhook-)/;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !signing.test(name)));
}

/** Changes of the service's own signature, and of that of Standard Webhooks. */
const CHANGED_SIGNATURES: Readonly<Record<string, Parameters<typeof withSignatures>>> = {
  "with empty signatures": [() => "", () => ""],
  "with a time and no signature": [timeOf, () => "v1,"],
  "with signatures of no length": [(header) => `${timeOf(header)},v1=,v1`, () => "v1, v1"],
  "with signatures cut short": [(header) => header.slice(0, -2), (header) => header.slice(0, -2)],
  "with signatures of another scheme's name": [
    (header) => header.replace("v1=", "v0="),
    (header) => header.replace("v1,", "v0,"),
  ],
  "with a time that is none": [(header) => header.replace(/t=\d+/, "t=soon"), () => "v1,AAAA"],
  "with a signature that is no ASCII": [
    (header) => `${timeOf(header)},v1=${"\u00e9".repeat(64)}`,
    () => `v1,${"\u00e9".repeat(43)}=`,
  ],
};

const GENUINE: Readonly<Record<string, () => Promise<Delivery>>> = {
  "made just now": () => delivery([SECRET]),
  "four minutes old": () => delivery([SECRET], 4 * MINUTE),
  "of a clock four minutes ahead": () => delivery([SECRET], -4 * MINUTE),
  "in a rotation, to a receiver with the new secret": () => delivery([SECRET, newSecret()]),
  "in a rotation, to a receiver with the previous secret": () => delivery([newSecret(), SECRET]),
};

const FALSE: Readonly<Record<string, () => Promise<Delivery>>> = {
  "with one character of the body changed": () => withBody((body) => body.replace("ada@", "eve@")),
  "with the body parsed and written again": () =>
    withBody((body) => JSON.stringify(JSON.parse(body), null, 1)),
  "with something behind the body": () => withBody((body) => `${body}\n`),
  "without a body": () => withBody(() => ""),
  "six minutes old": () => delivery([SECRET], 6 * MINUTE),
  [AHEAD]: () => delivery([SECRET], -6 * MINUTE),
  "six minutes old under a new date": withNewDate,
  "signed with another secret": () => delivery([newSecret()]),
  "signed with two other secrets": () => delivery([newSecret(), newSecret()]),
  "after a rotation, to a receiver with the previous secret": () => delivery([newSecret()]),
  "without signatures": () => withHeaders(unsigned),
  ...Object.fromEntries(
    Object.entries(CHANGED_SIGNATURES).map(([name, change]) => [
      name,
      () => withSignatures(...change),
    ]),
  ),
};

/** Returns the status of the answer. */
async function postTo(url: string, { headers, body }: Delivery): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = post(
      url,
      {
        method: "POST",
        headers: { ...headers, "Content-Length": Buffer.byteLength(body) },
        agent: false,
      },
      (response) => {
        text(response).then(() => resolve(response.statusCode ?? 0), reject);
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

type Verify = (secret: string, body: string, headers: Record<string, string>) => unknown;
const VERIFIERS: readonly (readonly [library: string, prefix: string, verify: Verify])[] = [
  [
    "standardwebhooks",
    "webhook",
    (secret, ...given) => new StandardWebhook(secret).verify(...given),
  ],
  ["svix", "svix", (secret, ...given) => new Svix(secret).verify(...given)],
  [
    "stripe",
    "Service",
    (secret, body, { "Service-Signature": own = "" }) =>
      Stripe.webhooks.constructEvent(body, own, secret),
  ],
];

it.each(VERIFIERS)("a single event is verified by %s, with only its headers", async (...row) => {
  const [, prefix, verify] = row;
  const previous = newSecret();
  const { headers, body } = await delivery([SECRET, previous], 0, EVENT.id);
  const own = Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith(`${prefix}-`)),
  );
  expect(Object.keys(own)).toHaveLength(3);
  for (const secret of [SECRET, previous]) expect(() => verify(secret, body, own)).not.toThrow();
  expect(() => verify(newSecret(), body, own)).toThrow();
  expect(() => verify(SECRET, `${body} `, own)).toThrow();
});

it("each file of the folder is run by a receiver", () => {
  expect(FILES).toEqual(RUN_FILES);
});

for (const language of LANGUAGES)
  describe.runIf(!language.tool || hasTool(language.tool))(
    `the receiver for ${language.name}`,
    () => {
      let receiver: RunningReceiver;
      beforeAll(async () => {
        receiver = await RunningReceiver.start(language, SECRET);
      });
      afterAll(() => receiver?.stop());

      it.each(Object.entries(GENUINE))("accepts a delivery %s", async (__, make) => {
        expect(await postTo(receiver.url, await make())).toBe(204);
        await expect.poll(() => receiver.printed).toContain("email.delivered ada@example.org");
      });

      const refused = Object.entries(FALSE).filter(
        ([name]) => !(language.looksOnlyBack && name === AHEAD),
      );

      it.each(refused)("refuses a delivery %s", async (__, make) => {
        expect(await postTo(receiver.url, await make())).toBe(400);
      });

      it("still runs after the forged deliveries, and accepts a genuine one", async () => {
        expect(await postTo(receiver.url, await delivery([SECRET]))).toBe(204);
      });
    },
  );
