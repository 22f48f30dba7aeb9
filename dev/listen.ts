// `npm run listen`: a webhook for development. Events that the service would post to a webhook in
// production are posted to a URL on this machine, signed and retried in the same way, and each
// event is a line in the terminal. Ctrl-C ends it and deletes its webhook.
import {
  createWebhook,
  type DevelopmentWebhook,
  removeStaleWebhooks,
  removeWebhook,
} from "./listen/development-webhook.ts";
import { type ListenOptions, listenOptions } from "./listen/listen-options.ts";
import { onNpmGone } from "./processes/npm-parents.ts";
import { type Relayed, startRelay } from "./listen/relay.ts";
import { StartProblem } from "./dev-settings.ts";

const TYPE_COLUMN = 18;
const RECIPIENT_COLUMN = 32;
/** The only event type that is sent once and never retried. */
const TEST = "webhook.test";

let options: ListenOptions | undefined;
let creating: Promise<DevelopmentWebhook> | undefined;
let isEnding = false;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => void end(0));
onNpmGone(process.env, () => void end(0));

try {
  await run();
} catch (error) {
  await fail(error);
}

async function run(): Promise<void> {
  options = listenOptions(process.argv.slice(2), process.env);
  const left = await removeStaleWebhooks(options);
  const relay = await startRelay(options.port, options.forward, print);
  const url = (options.publicUrl ?? `http://127.0.0.1:${relay.port}`) + relay.path;
  if (isEnding) return;
  creating = createWebhook(options, url, options.events);
  const webhook = await creating;
  if (isEnding) return;
  say(options, webhook, relay.port, left);
}

function say(
  { forward, events, apiUrl, publicUrl }: ListenOptions,
  webhook: DevelopmentWebhook,
  port: number,
  left: number,
): void {
  const through =
    publicUrl === null
      ? ""
      : ` by way of ${publicUrl}, whose tunnel must lead to http://127.0.0.1:${port}`;
  const notes = left === 0 ? "" : `\n(Deleted ${left} left over from a run that was killed.)\n`;
  console.log(`${notes}
Listening to ${apiUrl}${through}. Ctrl-C ends it and deletes the webhook.

  Webhook      ${webhook.id}
  Secret       ${webhook.signing_secret}
  Events       ${events.join(", ")}
  Forwarded    ${forward.href}
`);
}

/** Prints one line for each event. */
function print({ events, outcome }: Relayed): void {
  const time = new Date().toTimeString().slice(0, 8);
  const isTaken = typeof outcome === "number" && outcome >= 200 && outcome < 300;
  for (const { type, recipient } of events) {
    const result = isTaken || type === TEST ? outcome : `${outcome}, to be tried again`;
    console.log(
      `${time}  ${printable(type).padEnd(TYPE_COLUMN)}  ` +
        `${printable(recipient ?? "-").padEnd(RECIPIENT_COLUMN)}  ${result}`,
    );
  }
}

/** Replaces characters that a terminal would interpret. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, "?");
}

async function fail(error: unknown): Promise<void> {
  if (isEnding) return;
  const message =
    error instanceof StartProblem
      ? error.message
      : error instanceof Error
        ? error.stack
        : String(error);
  console.error(`postern: ${message}`);
  await end(1);
}

/** Runs once: npm forwards the Ctrl-C that the terminal has already sent. */
async function end(code: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  const webhook = await creating?.catch(() => undefined);
  if (!options || !webhook) process.exit(code);
  try {
    await removeWebhook(options, webhook.id);
  } catch (error) {
    console.error(`postern: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
  console.log(`postern: the webhook ${webhook.id} is deleted`);
  process.exit(code);
}
