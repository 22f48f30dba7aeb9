// POST /api/postern-events takes webhook deliveries. The signature covers the body's bytes, so the
// body is read as text and parsed by verifyWebhook alone.
import { verifyWebhook, WebhookSignatureError } from "postern";

export async function POST(request: Request): Promise<Response> {
  try {
    const secret = process.env["POSTERN_WEBHOOK_SECRET"] ?? "";
    const { events } = await verifyWebhook(await request.text(), request.headers, secret);
    for (const event of events) {
      // A delivery may come twice. Store event.id with your changes, and skip an event you stored.
      if (
        "type" in event &&
        event.type === "email.bounced" &&
        event.data.bounce.type === "permanent"
      )
        console.log(`${event.id} ${event.data.recipient}: ${event.data.explanation?.summary}`);
    }
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof WebhookSignatureError)) throw error;
    return new Response(error.message, { status: 400 });
  }
}
