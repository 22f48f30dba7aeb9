// Receives webhook deliveries: verifies them, stores each event once, and answers.
import { DatabaseSync } from "node:sqlite";
import express from "express";
import { verifyWebhook, WebhookSignatureError } from "postern";

const secret = process.env.POSTERN_WEBHOOK_SECRET;
if (!secret) throw new Error("POSTERN_WEBHOOK_SECRET is not set");

const database = new DatabaseSync(process.env.EVENTS_FILE ?? "events.sqlite");
database.exec("CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY, event TEXT NOT NULL)");
const insert = database.prepare("INSERT OR IGNORE INTO events (id, event) VALUES (?, ?)");

const app = express();

// express.raw() keeps the body's bytes, which the signature covers. No express.json() may run
// before it. A body has at most 128 KB, unless a single event is larger.
app.post(
  "/postern-events",
  express.raw({ type: "*/*", limit: "1mb" }),
  async (request, response) => {
    const { events } = await verifyWebhook(request.body, request.headers, secret);
    // A delivery may come twice: the same event has the same id. Only a test event has no type.
    for (const event of events.filter((one) => "type" in one))
      if (insert.run(event.id, JSON.stringify(event)).changes > 0)
        console.log(event.type, event.data.recipient, event.data.explanation?.summary ?? "");
    // The answer must come within 5 seconds, so process the stored events afterwards.
    response.sendStatus(204);
  },
);

// Postern repeats a delivery without a 2xx, so a fault of this program loses no event.
app.use((error, request, response, next) => {
  if (response.headersSent) return next(error);
  if (error instanceof WebhookSignatureError) return response.status(400).send(error.message);
  console.error(error);
  response.sendStatus(error.status ?? 500);
});

const port = Number(process.env.PORT ?? 3000);
app.listen(port, "127.0.0.1", () => console.log(`listening on ${port}`));
