// Tests that the client of packages/postern works inside a Worker: it sends, reads lists page by
// page, and verifies the service's signatures. test/node/client tests the client's rules.
import { exports } from "cloudflare:workers";
import { expect, it } from "vitest";
import { Postern, verifyWebhook } from "../../../packages/postern/src/client/postern.ts";
import { signedHeaders } from "../../../src/resources/webhooks/signature.ts";
import { TestSender } from "../../support/test-sender.ts";

const worker = (exports as unknown as { default: { fetch: typeof fetch } }).default;
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";

it("the client in a Worker sends, and reads the events page by page", async () => {
  const team = await TestSender.make();
  const postern = new Postern(team.key, {
    baseUrl: "https://api.postern.test",
    fetch: (url, init) => worker.fetch(url, init),
  });
  const { id } = await postern.emails.send(team.mail());
  await expect
    .poll(
      async () => {
        const types: string[] = [];
        for await (const { type } of postern.events.list({ email_id: id, limit: 1 }))
          types.push(type);
        return types;
      },
      { interval: 500 },
    )
    .toEqual(["email.delivered", "email.sent"]);
});

it.each([
  ["both schemes", () => true],
  ["Service-Signature alone", (name: string) => !name.startsWith("webhook-")],
])("the client verifies what the service signs, by %s", async (_, isKept) => {
  const body = new TextEncoder().encode('{"batch_id":"wb_1","timestamp":1,"events":[]}');
  const timestamp = Math.floor(Date.now() / 1_000);
  const signed = { prefix: "Service", batchId: "wb_1", timestamp, body, secrets: [SECRET] };
  const headers = Object.entries(await signedHeaders(signed)).filter(([name]) => isKept(name));
  const delivery = await verifyWebhook(body, new Headers(headers), SECRET);
  expect(delivery.batch_id).toBe("wb_1");
});
