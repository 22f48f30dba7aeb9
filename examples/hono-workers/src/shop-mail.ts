// A Worker that sends the receipts of a shop, and remembers the addresses that bounced.
import { Hono } from "hono";
import { InvalidRequestError, Postern, verifyWebhook, WebhookSignatureError } from "postern";

interface Bindings {
  readonly POSTERN_API_KEY: string;
  readonly POSTERN_URL: string;
  readonly POSTERN_WEBHOOK_SECRET: string;
  readonly MAIL_FROM: string;
  readonly BOUNCED: KVNamespace;
}

const app = new Hono<{ Bindings: Bindings }>();

// A repeated request for an order sends no second mail, because the order is the idempotency key.
app.post("/orders/:order/receipt", async (c) => {
  const { email } = await c.req.json<{ email: string }>();
  const order = c.req.param("order");
  const bounced = await c.env.BOUNCED.get(email);
  if (bounced !== null) return c.json({ errors: { email: [bounced] } }, 422);
  const postern = new Postern(c.env.POSTERN_API_KEY, { baseUrl: c.env.POSTERN_URL });
  try {
    const { id } = await postern.emails.send(
      {
        from: c.env.MAIL_FROM,
        to: [email],
        subject: `Receipt ${order}`,
        text: `Thank you for your order ${order}.`,
        metadata: { order },
      },
      { idempotencyKey: `receipt-${order}` },
    );
    return c.json({ id }, 202);
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    return c.json({ errors: error.errors }, 422);
  }
});

// The signature covers the body's bytes, so verifyWebhook gets them before anything parses them.
app.post("/postern-events", async (c) => {
  try {
    const body = await c.req.arrayBuffer();
    const { events } = await verifyWebhook(body, c.req.raw.headers, c.env.POSTERN_WEBHOOK_SECRET);
    for (const event of events)
      // A delivery may come twice, but storing an address again changes nothing.
      if (
        "type" in event &&
        event.type === "email.bounced" &&
        event.data.bounce.type === "permanent"
      )
        await c.env.BOUNCED.put(
          event.data.recipient,
          event.data.explanation?.summary ?? "mail to this address bounced",
        );
    return c.body(null, 204);
  } catch (error) {
    if (!(error instanceof WebhookSignatureError)) throw error;
    return c.text(error.message, 400);
  }
});

// The Postern client has already retried. The shop may repeat its request, because the order is the
// idempotency key.
app.onError((error, c) => {
  console.error(error);
  return c.json({ message: "Try again in a minute." }, 503);
});

export default app;
