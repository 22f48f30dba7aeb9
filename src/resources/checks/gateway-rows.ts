// Makes the check rows of the gateways: whether each gateway accepts the worker's mail, and the
// results of its own checks (docs/gateway-watch.md). A gateway that does not report its checks is
// `unknown`. Pure.
import type * as z from "zod";
import { fill } from "../../operator/check-values.ts";
import type { CheckEntry } from "../../operator/check-entry.ts";
import {
  GATEWAY_CHECKS,
  GATEWAY_STATES,
  WAITING_MAIL,
} from "../../operator/gateway-check-table.ts";
import type { GatewayWatch } from "../deployment/gateway-watch.ts";
import type { GatewayLink } from "../deployment/gateway-link.ts";
import { type CheckRow, emptyRow } from "./wire.ts";

export interface ReadGateway {
  readonly url: string;
  readonly link: Pick<GatewayLink, "state" | "status">;
  /** Null: the gateway does not report its own checks. */
  readonly watch: Pick<z.output<typeof GatewayWatch>, "checked_at" | "findings"> | null;
}

export function gatewayRows(gateway: ReadGateway): CheckRow[] {
  return [linkRow(gateway), ...watchRows(gateway)];
}

function linkRow({ url, link: { state, status } }: ReadGateway): CheckRow {
  const entry: CheckEntry = GATEWAY_CHECKS["gateway.token"];
  const { says, next } = GATEWAY_STATES[state];
  const isWell = state === "agreed";
  return {
    ...rowOf("gateway.token", url, entry),
    title: fill(entry.title, hostOf(url), ""),
    status: isWell ? "ok" : entry.severity,
    message: fill(says, url, ""),
    next_step: isWell ? null : `${next} ${WAITING_MAIL}`,
    evidence: `POST ${url}/deliver → ${status === null ? "no answer" : `HTTP ${status}`}`,
  };
}

function watchRows({ url, watch }: ReadGateway): CheckRow[] {
  const entry = GATEWAY_CHECKS["gateway.seen"];
  const evidence = `GET ${url}/watch`;
  if (watch === null || watch.checked_at === null)
    return [
      {
        ...rowOf("gateway.watch", url, entry),
        status: "unknown",
        message:
          watch === null
            ? `${url} reports nothing about itself: it is down, or has an earlier version.`
            : `${url} has not checked itself yet.`,
        evidence,
      },
    ];
  return watch.findings.map(({ check, status, message, advice, link }) => ({
    ...rowOf(`gateway.${check}`, url, entry),
    title: `Gateway ${hostOf(url)}: ${check}`,
    status: status === "failed" ? "critical" : status,
    message,
    next_step: status === "ok" ? null : [advice, link].filter((one) => one !== null).join(": "),
    evidence: `${evidence} (checked at ${watch.checked_at})`,
  }));
}

function rowOf(check: string, url: string, { title, page }: Pick<CheckEntry, "title" | "page">) {
  return { ...emptyRow(check, url, page), title };
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
