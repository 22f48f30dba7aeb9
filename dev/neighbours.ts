// Tells `npm start` and `npx wrangler dev` of each other on one machine: where the stack's gateway
// and DNS are for a worker beside it, and which worker waits for a stack.
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
 * For a worker beside the stack of this state directory, or beside one that is yet to come, on the
 * usual ports.
 */
export function addressesBeside(state: string): Addresses {
  const stack = readStateFile(join(state, "dev.json")) as StackFile | undefined;
  const { PORT, EGRESS_PORT, DNS_PORT } = PORT_DEFAULTS;
  // Wrangler takes the next port where the stack's own worker is on the usual one.
  return {
    api: at(stack?.api_url === at(PORT) ? PORT + 1 : PORT),
    egress: stack?.egress_url ?? at(EGRESS_PORT),
    dns: stack?.dns_url ?? at(DNS_PORT),
  };
}

/** Whether a worker of `npx wrangler dev` is on `port`: its health says that it has no gateway. */
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
