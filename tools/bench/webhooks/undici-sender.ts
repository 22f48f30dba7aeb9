// The other peer of `bench webhooks`: one Node process that signs with node:crypto and posts
// through undici's pool. It stores nothing.
import { createHmac } from "node:crypto";
import { Pool } from "undici";
import { serveCommands } from "../../harness/command-loop.ts";
import { webhookBatchBody } from "./webhook-batch.ts";
import { headersOf, postAll, type Posting } from "./posting.ts";

async function send(posting: Posting): Promise<object> {
  const { origin, pathname: path } = new URL(posting.url);
  const pool = new Pool(origin, { connections: posting.inFlight, pipelining: 1 });
  try {
    await postAll(posting, async (id) => {
      const requestBody = webhookBatchBody(id);
      const timestamp = Math.floor(Date.now() / 1_000);
      const signature = createHmac("sha256", posting.secret)
        .update(`${timestamp}.${requestBody}`)
        .digest("hex");
      const headers = headersOf(id, timestamp, signature);
      const { statusCode, body } = await pool.request({
        method: "POST",
        path,
        headers,
        body: requestBody,
      });
      await body.text();
      if (statusCode !== 200) throw new Error(`the receiver answered ${statusCode}`);
    });
  } finally {
    await pool.destroy();
  }
  return {};
}

console.log("ready");
await serveCommands((question) => send(question as Posting));
process.exit(0);
