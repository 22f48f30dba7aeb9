// Receives webhook deliveries in Node, with the package stripe: Service-Signature has the format of
// Stripe's signatures.
import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { Stripe } from "stripe";

const SECRET = process.env.WEBHOOK_SECRET ?? "";
if (SECRET === "") throw new Error("WEBHOOK_SECRET is not set");

async function receive(request: IncomingMessage): Promise<number> {
  const body = await buffer(request);
  try {
    Stripe.webhooks.constructEvent(body, request.headers["service-signature"] ?? "", SECRET);
  } catch {
    return 400;
  }
  for (const event of JSON.parse(body.toString()).events)
    console.log(event.type, event.data?.recipient ?? "");
  return 204;
}

createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    () => response.destroy(),
  );
}).listen(Number(process.env.PORT ?? 3000), "127.0.0.1");
