// The double of the Email Service (tools/dev/email-service) in its own process, so that it can be
// killed. It delivers only to the campaign's mail server. It publishes events to the harness
// (event-relay.ts), which replaces the platform's queue. It is as strict as real accounts are
// (docs/real-platform.md), and the teams' domain is onboarded. CHAOS_SERVICE_* configure it.
import { SENDER_DOMAIN } from "../../harness/sample-message.ts";
import { SERVICE_SWITCHES } from "../../dev/platform/switches.ts";
import { startEmailService } from "../../dev/email-service/sending-server.ts";

const STEP_MS = 1_000;
/**
 * Milliseconds to wait for the reply to a final dot. Every planned silence of a server is shorter.
 */
const FINAL_MS = 3_000;

const port = Number(process.env["CHAOS_SERVICE_PORT"]);
const token = process.env["CHAOS_SERVICE_TOKEN"] ?? "";

await startEmailService(port, {
  directory: process.env["CHAOS_SERVICE_STATE"] ?? "",
  token,
  eventsUrl: process.env["CHAOS_SERVICE_EVENTS"] ?? "",
  route: { host: "127.0.0.1", port: Number(process.env["CHAOS_SERVICE_MX_PORT"]), dns: null },
  platform: SERVICE_SWITCHES,
  retrySpeedup: Number(process.env["CHAOS_SERVICE_SPEEDUP"]),
  timeouts: {
    connect: STEP_MS,
    greeting: STEP_MS,
    command: STEP_MS,
    data: STEP_MS,
    block: STEP_MS,
    final: FINAL_MS,
  },
});
await fetch(`http://127.0.0.1:${port}/domains`, {
  method: "POST",
  headers: { authorization: `Bearer ${token}` },
  body: JSON.stringify({ name: SENDER_DOMAIN }),
});
console.log("listening");
