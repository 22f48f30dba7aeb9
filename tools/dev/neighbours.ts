// Lets `npm start` and `npx wrangler dev` find each other on one machine. A worker learns the
// addresses of the stack's gateway and DNS, and a stack learns of a worker without a gateway.
import { join } from "node:path";
import { PORT_DEFAULTS } from "./dev-settings.ts";
import { readStateFile } from "./state-file.ts";
import type { Addresses } from "./worker-settings.ts";

const HOST = "127.0.0.1";
const PROBE_TIMEOUT_MS = 3_000;

/** The members of dev.json that this file reads. */
interface StackFile {
  readonly api_url: string;
  readonly egress_url?: string;
  readonly dns_url: string;
}

/**
 * Returns the addresses that a worker beside this state directory's stack needs. If no stack runs,
 * these are the default ports.
 */
export function addressesBeside(state: string): Addresses {
  const stack = readStateFile(join(state, "dev.json")) as StackFile | undefined;
  const { PORT, EGRESS_PORT, DNS_PORT } = PORT_DEFAULTS;
  // If the stack's own worker has the default port, wrangler takes the next one.
  return {
    api: at(stack?.api_url === at(PORT) ? PORT + 1 : PORT),
    egress: stack?.egress_url ?? at(EGRESS_PORT),
    dns: stack?.dns_url ?? at(DNS_PORT),
  };
}

/**
 * Tells whether a worker of `npx wrangler dev` listens on `port`. Its health endpoint reports a
 * missing gateway.
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
