// Receives webhook deliveries in Node, with the package standardwebhooks, or svix in its place.
import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

const SECRET = process.env.WEBHOOK_SECRET ?? "";
if (SECRET === "") throw new Error("WEBHOOK_SECRET is not set");

const webhook = new Webhook(SECRET);

async function receive(request: IncomingMessage): Promise<number> {
  const body = await text(request);
  try {
    webhook.verify(body, request.headers as Record<string, string>);
  } catch {
    return 400;
  }
  for (const event of JSON.parse(body).events) console.log(event.type, event.data?.recipient ?? "");
  return 204;
}

createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    () => response.destroy(),
  );
}).listen(Number(process.env.PORT ?? 3000), "127.0.0.1");
