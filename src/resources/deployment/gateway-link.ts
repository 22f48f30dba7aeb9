// Checks whether the gateway answers this worker and accepts its token (docs/egress-protocol.md):
// sends a delivery without messages, and looks only at the status of the answer. The answer
// contains no token, so nothing can leak through it.
import type { GatewayState } from "../../operator/gateway-check-table.ts";

const ANSWER_WITHIN_MS = 5_000;

export interface GatewayLink {
  readonly state: GatewayState;
  /** HTTP status, or null when there was no answer. */
  readonly status: number | null;
  /** The gateway's clock from its Date header, or null when the header is absent. */
  readonly date: string | null;
}

/**
 * Asks the gateway. `egressUrl` has no final slash. Never rejects because of the gateway's
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
