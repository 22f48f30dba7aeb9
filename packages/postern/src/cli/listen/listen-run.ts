// `postern webhooks listen`: a webhook for development. The service posts its deliveries to a URL
// on this machine, signed and retried as in production. Each event is a line in the terminal.
// Ctrl-C ends the command and deletes its webhook.
import type { Postern } from "../../client/postern.ts";
import type { CommandInput } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { padToWidth } from "../display-width.ts";
import { printable } from "../printable.ts";
import {
  createWebhook,
  type DevelopmentWebhook,
  removeStaleWebhooks,
  removeWebhook,
} from "./development-webhook.ts";
import type { ListenOptions } from "./listen-options.ts";
import { type RelayedDelivery, startRelay } from "./relay.ts";

const TYPE_COLUMN = 18;
const RECIPIENT_COLUMN = 32;
const POLL_MS = 250;
/** The service sends this event type once and never retries it. */
const TEST = "webhook.test";

/** Runs until a signal. Throws if the relay's port can't be used, or if a request fails. */
export async function listen(
  postern: Postern,
  options: ListenOptions,
  around: Pick<CommandInput, "streams" | "environment">,
): Promise<ExitCode> {
  const { ended, isEnded } = onEnd(around);
  const print = (line: string): void => void around.streams.output.write(`${line}\n`);
  const left = await removeStaleWebhooks(postern);
  const relay = await startRelay(options.port, options.forward, (delivery) => {
    for (const line of deliveryLines(delivery)) print(line);
  });
  try {
    if (isEnded()) return EXIT.done;
    const url = (options.publicUrl ?? `http://127.0.0.1:${relay.port}`) + relay.path;
    const webhook = await createWebhook(postern, url, [...options.events]);
    if (!isEnded()) print(opening(options, webhook, relay.port, left));
    await ended;
    await removeWebhook(postern, webhook.id);
    print(`postern: the webhook ${webhook.id} is deleted`);
  } finally {
    await relay.close();
  }
  return EXIT.done;
}

/**
 * Notices a signal. Also notices the end of npm's shell, because that shell ends without a signal
 * to its script.
 */
function onEnd({
  streams: { signals },
  environment,
}: Pick<CommandInput, "streams" | "environment">): {
  readonly ended: Promise<void>;
  readonly isEnded: () => boolean;
} {
  let isOver = false;
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      isOver = true;
      resolve();
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) signals.on(signal, end);
    const parent = process.ppid;
    if (environment["npm_lifecycle_event"] !== undefined)
      setInterval(() => {
        if (process.ppid !== parent) end();
      }, POLL_MS).unref();
  });
  return { ended, isEnded: () => isOver };
}

function opening(
  { forward, events, apiUrl, publicUrl }: ListenOptions,
  webhook: DevelopmentWebhook,
  port: number,
  left: number,
): string {
  const through =
    publicUrl === null
      ? ""
      : ` through ${publicUrl}; the tunnel must lead to http://127.0.0.1:${port}`;
  const notes = left === 0 ? "" : `\n(Deleted ${left} left over from a run that was killed.)\n`;
  return `${notes}
Listening to ${apiUrl}${through}. Ctrl-C ends it and deletes the webhook.

  Webhook      ${webhook.id}
  Secret       ${webhook.signing_secret}
  Events       ${events.join(", ")}
  Forwarded    ${forward.href}
`;
}

/** Returns one line for each event. */
function deliveryLines({ events, outcome }: RelayedDelivery): string[] {
  const time = new Date().toTimeString().slice(0, 8);
  const isTaken = typeof outcome === "number" && outcome >= 200 && outcome < 300;
  return events.map(({ type, recipient }) => {
    const result = isTaken || type === TEST ? outcome : `${outcome}, will be retried`;
    const columns = [
      time,
      padToWidth(printable(type), TYPE_COLUMN),
      padToWidth(printable(recipient ?? "-"), RECIPIENT_COLUMN),
      printable(String(result)),
    ];
    return columns.join("  ");
  });
}
