// Lets `npm start` and `npx wrangler dev` find each other on one machine. The worker of `npx
// wrangler dev` learns the addresses of the gateway and the DNS of `npm start`. `npm start` learns
// whether that worker lacks a gateway.
import { join } from "node:path";
import { PORT_DEFAULTS } from "./dev-settings.ts";
import { readStateFile } from "./state-file.ts";
import type { Addresses } from "./worker-settings.ts";

export const HOST = "127.0.0.1";
const PROBE_TIMEOUT_MS = 3_000;

/** The members of dev.json that this file reads. */
interface StackFile {
  readonly api_url: string;
  readonly egress_url?: string;
  readonly dns_url: string;
}

/**
 * Returns the addresses for a worker that runs in addition to the stack of this state directory. If
 * no stack runs, the addresses have the default ports.
 */
export function addressesBeside(state: string): Addresses {
  const stack = readStateFile(join(state, "dev.json")) as StackFile | undefined;
  const { PORT, EGRESS_PORT, DNS_PORT } = PORT_DEFAULTS;
  // If the stack's own worker uses the default port, wrangler takes the next port for this worker.
  return {
    api: at(stack?.api_url === at(PORT) ? PORT + 1 : PORT),
    egress: stack?.egress_url ?? at(EGRESS_PORT),
    dns: stack?.dns_url ?? at(DNS_PORT),
  };
}

/**
 * Tells whether the program on `port` is a worker of `npx wrangler dev`. The health report of such
 * a worker says that no gateway answers.
 */
export async function waitsForGateway(port: number): Promise<boolean> {
  try {
    const response = await fetch(`${at(port)}/healthz`, {
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    const { hints } = (await response.json()) as { hints?: { gateway?: unknown } };
    return typeof hints?.gateway === "string";
  } catch {
    return false;
  }
}

export function at(port: number): string {
  return `http://${HOST}:${port}`;
}
