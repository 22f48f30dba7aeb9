// Receives webhook deliveries in Node, without a package: node node.ts
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";

const SECRET = process.env.WEBHOOK_SECRET ?? "";
if (SECRET === "") throw new Error("WEBHOOK_SECRET is not set");

const TOLERANCE_SECONDS = 5 * 60;
const LARGEST_BODY = 1024 * 1024;

/** `body`: the bytes as they came. `header`: the value of Service-Signature. */
function isGenuine(body: Buffer, header: string, secret: string): boolean {
  const fields = header.split(",").map((field) => field.trim().split("="));
  const timestamp = fields.find(([name]) => name === "t")?.[1] ?? "";
  if (
    !/^\d{1,12}$/.test(timestamp) ||
    Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS
  )
    return false;
  const expected = createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest();
  const isExpected = (hex: string) =>
    /^[0-9a-f]{64}$/.test(hex) && timingSafeEqual(Buffer.from(hex, "hex"), expected);
  return fields.some(([name, value = ""]) => name === "v1" && isExpected(value));
}

async function receive(request: IncomingMessage): Promise<number> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > LARGEST_BODY) return 413;
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  if (!isGenuine(body, String(request.headers["service-signature"] ?? ""), SECRET)) return 400;
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
