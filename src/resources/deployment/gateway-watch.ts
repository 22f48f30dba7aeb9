// Asks each gateway for the results of its own checks, and for its destinations
// (docs/gateway-watch.md). A gateway that is down, or of an earlier version, reports nothing.
import * as z from "zod";

const ANSWER_WITHIN_MS = 5_000;
const DESTINATIONS = 20;
const NAME_LENGTH = 255;

const count = z.int().min(0);

export const GatewayWatch = z.object({
  /** When the gateway last checked itself. Null: its first check is still running. */
  checked_at: z.iso.datetime().nullable(),
  findings: z.array(
    z.object({
      check: z.string(),
      /** An earlier version of the gateway reports `failed` in place of `critical`. */
      status: z.enum(["ok", "warning", "failed", "unknown", "critical"]),
      subject: z.string().nullable(),
      message: z.string(),
      advice: z.string().nullable(),
      link: z.url({ protocol: /^https$/ }).nullable(),
    }),
  ),
  /**
   * The destinations that the gateway uses most at the moment. A gateway of an earlier version
   * lists no destinations.
   */
  destinations: z
    .array(
      z.object({
        name: z.string().max(NAME_LENGTH),
        pool: z.string().max(NAME_LENGTH),
        open: count,
        waiting: count,
        refused: count,
        concurrency: count,
        why: z.enum(["answers", "failures", "announced", "most", "share"]),
      }),
    )
    .max(DESTINATIONS)
    .default([]),
});

/**
 * Returns null if the gateway reports nothing. `egressUrl` has no final slash. Never rejects
 * because of the gateway's behaviour.
 */
export async function readGatewayWatch(
  egressUrl: string,
  gatewayToken: string,
): Promise<z.output<typeof GatewayWatch> | null> {
  try {
    const response = await fetch(`${egressUrl}/watch`, {
      headers: { Authorization: `Bearer ${gatewayToken}` },
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    if (response.status === 200) return GatewayWatch.safeParse(await response.json()).data ?? null;
    await response.body?.cancel();
  } catch {
    // The server did not respond, or not with JSON. GET /admin/deployment shows the reason in
    // `state`.
  }
  return null;
}
