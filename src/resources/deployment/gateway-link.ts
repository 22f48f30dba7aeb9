// Checks whether a gateway responds and accepts this worker's token (docs/egress-protocol.md).
// Sends a delivery without messages, and reads only the response's status and headers, which
// contain no token.
import type { GatewayState } from "../../operator/gateway-check-table.ts";

const ANSWER_WITHIN_MS = 5_000;

export interface GatewayLink {
  readonly state: GatewayState;
  /** The HTTP status. Null: the gateway did not respond. */
  readonly status: number | null;
  /** The gateway's clock, from its Date header. Null: the response had no Date header. */
  readonly date: string | null;
}

/**
 * Sends the request. `egressUrl` has no final slash. Never rejects because of the gateway's
 * behaviour.
 */
export async function askGateway(egressUrl: string, gatewayToken: string): Promise<GatewayLink> {
  try {
    const response = await fetch(`${egressUrl}/deliver`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${gatewayToken}`,
        "Content-Type": "application/octet-stream",
      },
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    await response.body?.cancel();
    const sentAt = Date.parse(response.headers.get("Date") ?? "");
    const date = Number.isNaN(sentAt) ? null : new Date(sentAt).toISOString();
    return { state: stateOf(response), status: response.status, date };
  } catch {
    return { state: "unreachable", status: null, date: null };
  }
}

function stateOf({ status, headers }: Response): GatewayLink["state"] {
  if (status === 401) return "refused";
  if (status === 503) return "unavailable";
  return status === 200 && headers.get("Content-Type")?.startsWith("application/x-ndjson")
    ? "agreed"
    : "unexpected";
}
