// Checks whether a gateway runs beside a developer's worker. `npm start` starts one together with
// the inbox and DNS. A missing gateway is not a fault, because accepted mail waits in the ledger.
import type { Env } from "../env.ts";
import { isLocal, settingsOf } from "../settings.ts";

const PROBE_TIMEOUT_MS = 1_000;

/**
 * Returns how to start the missing gateway. Undefined: the gateway answers, or the deployment needs
 * no gateway.
 */
export async function missingGateway(env: Env): Promise<string | undefined> {
  const url = isLocal(env) ? gatewayOf(env) : undefined;
  if (url === undefined) return undefined;
  try {
    const response = await fetch(`${url}/healthz`, {
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return undefined;
  } catch {
    return (
      `no gateway answers at ${url}, so mail waits in the ledger: run \`npm start\` as well, ` +
      "which brings the gateway, the inbox and DNS"
    );
  }
}

/** Returns the gateway's URL. Ignores faulty settings, because another check reports them. */
function gatewayOf(env: Env): string | undefined {
  try {
    const { outbound, egressUrls } = settingsOf(env);
    return outbound === "gateway" ? egressUrls[0] : undefined;
  } catch {
    return undefined;
  }
}
