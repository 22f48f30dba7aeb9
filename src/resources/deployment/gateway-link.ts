// Whether the gateway answers this worker and takes its token (docs/egress-protocol.md): a delivery
// of no messages, which says so by its status alone. Neither token is in the question's answer, so
// that nothing can leak through it.
const ANSWER_WITHIN_MS = 5_000;

/**
 * `agreed`: the gateway takes mail from this worker. `refused`: the tokens differ. `unavailable`:
 * it does not take mail just now. `unreachable`: no answer. `unexpected`: what answers there is no
 * gateway.
 */
export const LINK_STATES = [
  "agreed",
  "refused",
  "unavailable",
  "unreachable",
  "unexpected",
] as const;

export interface GatewayLink {
  readonly state: (typeof LINK_STATES)[number];
  /** Null: there was no answer. */
  readonly status: number | null;
  /** What the gateway's clock says, by its Date header; null where it has none. */
  readonly date: string | null;
}

/** `egressUrl`: without a final slash. Never rejects for what the other side does. */
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
    const said = Date.parse(response.headers.get("Date") ?? "");
    const date = Number.isNaN(said) ? null : new Date(said).toISOString();
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
