// Judges what each gateway reports about itself (docs/gateway-watch.md). Pure.
import type { Gateway } from "../../../api/operator/types.ts";
import type { Tone } from "../../../parts/tone.ts";
import { hostOf } from "./check-gateways.ts";
import { type Check, plural, UNKNOWN } from "./operator-check.ts";

export type GatewayWatch = NonNullable<Gateway["gateways"][number]["watch"]>;
export type GatewayFinding = GatewayWatch["findings"][number];

/** The label and the tone (colour) of each status of a finding. The worst status comes first. */
const STATUSES: Readonly<
  Record<GatewayFinding["status"], readonly [word: string, tone: Check["tone"] & Tone]>
> = {
  failed: ["Failed", "bad"],
  warning: ["Warning", "wait"],
  unknown: ["Unknown", "mute"],
  ok: ["OK", "ok"],
};
const ORDER = Object.keys(STATUSES);

export function findingLabel({ status }: GatewayFinding): string {
  return STATUSES[status][0];
}

export function findingTone({ status }: GatewayFinding): Tone {
  return STATUSES[status][1];
}

/** Returns the findings that are not `ok`, the worst first. */
export function faultsOf({ findings }: GatewayWatch): GatewayFinding[] {
  return findings
    .filter(({ status }) => status !== "ok")
    .toSorted((left, right) => ORDER.indexOf(left.status) - ORDER.indexOf(right.status));
}

/** A gateway without a report gets no row here. `checkGateways` shows whether it is down. */
export function checkGatewayFindings({ gateways }: Gateway): Check[] {
  return gateways.flatMap(({ url, watch }): Check[] => {
    if (watch === null || watch.checked_at === null) return [];
    const [worst] = faultsOf(watch);
    const count = faultsOf(watch).filter(({ status }) => status !== "unknown").length;
    const tone = worst === undefined ? "ok" : STATUSES[worst.status][1];
    const isConcern = tone === "bad" || tone === "wait";
    return [
      {
        id: `seen ${url}`,
        name: `Gateway ${hostOf(url)} as receivers see it`,
        value: tone === "mute" ? UNKNOWN : plural(count, "problem", "problems"),
        tone,
        means:
          "Problems with the gateway’s reverse DNS, EHLO name, SPF, certificate or block lists.",
        says: isConcern && worst ? `The gateway ${hostOf(url)}: ${worst.message}.` : "",
        evidence: `GET /admin/gateways (checked at ${watch.checked_at})`,
        to: "/operator/delivery",
        act: "Gateways",
      },
    ];
  });
}
