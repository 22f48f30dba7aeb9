// The smallest send endpoint on this platform: Hono, zod, and an API key that is found by its
// SHA-256. It stores nothing. The bench compares the real worker's processor time with it.
import { Hono } from "hono";
import { SendBody } from "./send-schema.ts";

export const app = new Hono<{ Bindings: { readonly KEY_HASH: string } }>();

app.post("/v1/email", async (c) => {
  const secret = /^Bearer (\S+)$/.exec(c.req.header("Authorization") ?? "")?.[1] ?? "";
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret));
  const hash = Array.from(new Uint8Array(digest), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  if (hash !== c.env.KEY_HASH) return c.json({ error: "unknown key" }, 401);
  const body = SendBody.safeParse(await c.req.json());
  if (!body.success) return c.json({ error: body.error.issues }, 422);
  return c.json({ id: `email_${crypto.randomUUID()}`, created_at: new Date().toISOString() }, 202);
});
