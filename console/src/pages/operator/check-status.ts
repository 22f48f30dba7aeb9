// The rows of GET /admin/checks as the console shows them. The worker writes their sentences
// (docs/checks.md). Pure.
import type { Check } from "../../api/operator/types.ts";
import type { Tone } from "../../parts/tone.ts";

export type ShownCheck = Check["checks"][number];

/** The label and the tone (colour) of each status. */
const SHOWN: Readonly<Record<ShownCheck["status"], readonly [label: string, tone: Tone]>> = {
  critical: ["Critical", "bad"],
  warning: ["Warning", "wait"],
  unknown: ["No data", "mute"],
  alert_only: ["Alert only", "mute"],
  ok: ["OK", "ok"],
};

/** The check that tells whether a gateway accepts mail. Its subject is the gateway's URL. */
const GATEWAY_LINK = "gateway.token";
/**
 * The check of a gateway's self-checks. Missing self-checks are a problem only if the gateway
 * accepts no mail.
 */
const GATEWAY_REPORT = "gateway.watch";

export function statusLabel({ status }: Pick<ShownCheck, "status">): string {
  return SHOWN[status][0];
}

export function statusTone({ status }: Pick<ShownCheck, "status">): Tone {
  return SHOWN[status][1];
}

/** Returns the rows that tell whether each gateway accepts mail. */
export function gatewayLinks({ checks }: Check): ShownCheck[] {
  return checks.filter(({ check }) => check === GATEWAY_LINK);
}

/** Returns the titles of the checks that have no data because their source did not answer. */
export function unknownAmong(rows: readonly ShownCheck[]): string[] {
  return rows
    .filter(({ status, check }) => status === "unknown" && check !== GATEWAY_REPORT)
    .map(({ title }) => title);
}
