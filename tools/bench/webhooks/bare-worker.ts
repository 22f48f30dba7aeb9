// The smallest possible sender of signed webhooks on this platform: HMAC-SHA256 and fetch. It does
// not read a store, record or retry.
import { webhookBatchBody } from "./webhook-batch.ts";
import { headersOf, postAll, type Posting } from "./posting.ts";

const utf8 = new TextEncoder();

export const bareWorker = { fetch: post };

async function post(request: Request): Promise<Response> {
  const posting = (await request.json()) as Posting;
  const key = await crypto.subtle.importKey(
    "raw",
    utf8.encode(posting.secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  await postAll(posting, async (id) => {
    const body = webhookBatchBody(id);
    const timestamp = Math.floor(Date.now() / 1_000);
    const digest = await crypto.subtle.sign("HMAC", key, utf8.encode(`${timestamp}.${body}`));
    const signature = Array.from(new Uint8Array(digest), (byte) =>
      byte.toString(16).padStart(2, "0"),
    ).join("");
    const response = await fetch(posting.url, {
      method: "POST",
      headers: headersOf(id, timestamp, signature),
      body,
    });
    await response.text();
    if (response.status !== 200) throw new Error(`the receiver answered ${response.status}`);
  });
  return new Response();
}
