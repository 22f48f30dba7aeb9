// Lists the operator's checks of tracking hosts (docs/checks.md). Pure.
import type { CheckEntry } from "./check-entry.ts";

export const TRACKING_CHECKS = {
  "tracking.broken": {
    title: "Broken tracking hosts",
    reads: { kind: "gauge", metric: "postern_tracking_hosts", labels: { state: ["broken"] } },
    unit: "count",
    limit: 0,
    severity: "critical",
    alertAfterSeconds: 0,
    alert: "PosternTrackingHosts",
    over: "Tracking hosts to which links in sent mail lead, and which are not served: {value}.",
    good: "Every tracking host of sent mail is served.",
    next:
      "The log's line tracking_host_broken names the host, its domain and the reason. The " +
      "domain's page in the console names them too. Until the host is served again, new mail of " +
      "the domain goes out untracked.",
    page: "docs/tracking.md#hosts",
  },
  "tracking.names": {
    title: "Custom hostnames",
    reads: { kind: "gauge", metric: "postern_tracking_hosts" },
    unit: "count",
    limit: 89,
    severity: "warning",
    alertAfterSeconds: 0,
    alert: "PosternTrackingNames",
    over: "Tracking hosts: {value}. Cloudflare refuses more than 100 custom hostnames without a paid plan.",
    good: "Tracking hosts: {value}.",
    next: "Switch on the paid Cloudflare for SaaS in the zone, under SSL/TLS, Custom Hostnames.",
    page: "docs/tracking.md#hosts",
  },
} as const satisfies Readonly<Record<string, CheckEntry>>;
