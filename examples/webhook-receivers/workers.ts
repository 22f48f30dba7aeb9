// Receives webhook deliveries in Cloudflare Workers, Deno or Bun, by Web Crypto alone.
const TOLERANCE_SECONDS = 5 * 60;

/** `body`: the bytes as they came. `header`: the value of Service-Signature. */
async function isGenuine(body: Uint8Array, header: string, secret: string): Promise<boolean> {
  const fields = header.split(",").map((field) => field.trim().split("="));
  const timestamp = fields.find(([name]) => name === "t")?.[1] ?? "";
  if (
    !/^\d{1,12}$/.test(timestamp) ||
    Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS
  )
    return false;
  const encoder = new TextEncoder();
  const signed = new Uint8Array([...encoder.encode(`${timestamp}.`), ...body]);
  const key = await crypto.subtle.importKey(
    "raw",
    encoder.encode(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["verify"],
  );
  for (const [name, value = ""] of fields) {
    if (name !== "v1" || !/^[0-9a-f]{64}$/.test(value)) continue;
    const signature = Uint8Array.from(value.match(/../g) ?? [], (byte) =>
      Number.parseInt(byte, 16),
    );
    if (await crypto.subtle.verify("HMAC", key, signature, signed)) return true;
  }
  return false;
}

export default {
  async fetch(request: Request, env: { WEBHOOK_SECRET: string }): Promise<Response> {
    if (!env.WEBHOOK_SECRET) throw new Error("WEBHOOK_SECRET is not set");
    const body = new Uint8Array(await request.arrayBuffer());
    const header = request.headers.get("Service-Signature") ?? "";
    if (!(await isGenuine(body, header, env.WEBHOOK_SECRET)))
      return new Response(null, { status: 400 });
    for (const event of JSON.parse(new TextDecoder().decode(body)).events)
      console.log(event.type, event.data?.recipient ?? "");
    return new Response(null, { status: 204 });
  },
};
