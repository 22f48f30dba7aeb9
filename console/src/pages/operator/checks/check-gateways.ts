// Judges the gateways (docs/operating.md §When something is down). Pure.
import {
  describeState,
  evidenceOf,
  describeWaitingMail,
  sinceOf,
  type WatchedDeployment,
} from "../gateway-watch.ts";
import type { Check } from "./operator-check.ts";

export function checkGateways(deployment: WatchedDeployment, zone: string): Check[] {
  const { gateways } = deployment;
  return gateways.map((gateway): Check => {
    const isDown = gateway.state !== "agreed";
    const share = gateways.length === 1 ? "" : ` (one of ${gateways.length})`;
    return {
      id: `gateway ${gateway.url}`,
      name: `Gateway ${hostOf(gateway.url)}`,
      value: isDown ? "down" : "up",
      tone: isDown ? "bad" : "ok",
      means: `${sentenceCase(describeState(gateway))}.`,
      says: isDown
        ? `The gateway ${hostOf(gateway.url)}${share} ${describeState(gateway)}. ${describeWaitingMail(deployment)}`
        : "",
      evidence: `${evidenceOf(gateway)} (${sinceOf(gateway, zone)})`,
      to: "/operator/delivery",
      act: "Gateways",
    };
  });
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
