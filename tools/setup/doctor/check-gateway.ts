// Checks each gateway's egress from this machine: its health, certificate and clock. The worker
// knows whether it reaches the gateway and whether both have the same token (GET /admin/checks).
// Tokens are never shown.
import { call, member, NoHttpResponse } from "../json-call.ts";
import { isLocal } from "../rules.ts";
import { judgeServer } from "./tls-certificate.ts";
import { compareClocks, dateOf } from "./clock.ts";
import { critical, type CheckResults, ok, notKnown, warning } from "./check-result.ts";
import type { Target } from "./doctor-target.ts";

const SAME_TOKEN =
  "give both the same token: the worker by npx wrangler secret put GATEWAY_TOKEN, the gateway by " +
  "GATEWAY_TOKEN or /etc/postern-gateway/token; then restart the gateway";
const START = "start the gateway, and check that EGRESS_URL leads to it (smtp-gateway/README.md)";

export async function checkGateways({ egressUrls, outbound }: Target): Promise<CheckResults> {
  if (egressUrls.length === 0 && outbound === "cloudflare")
    return notKnown("gateway", "no gateway is needed: the Email Service carries the mail");
  if (egressUrls.length === 0)
    return notKnown("gateway", "no gateway is set up, or its URL is unknown: give --egress-url");
  const each = egressUrls.flatMap((url) => [checkFromHere(url), checkTls(url)]);
  return (await Promise.all(each)).flat();
}

async function checkFromHere(url: string): Promise<CheckResults> {
  const sentAt = Date.now();
  const answer = await call("GET", `${url}/healthz`);
  // A firewall may admit only Cloudflare. So a gateway that does not answer this machine gives only
  // a warning. If its certificate is not trusted, the check gateway.tls reports this.
  if (answer instanceof NoHttpResponse)
    return warning(
      "gateway.health",
      `${url} does not answer from here: ${answer.message}`,
      `this is normal if a firewall admits only the worker; otherwise ${START}`,
    );
  const date = dateOf(answer.headers.get("date"));
  const clock = compareClocks("gateway.clock", url, date, sentAt, Date.now());
  const [status, reason] = [member(answer.json, "status"), member(answer.json, "reason")];
  if (answer.status === 200 && status === "ok")
    return [ok("gateway.health", `${url} is well`), clock];
  const isWorker = answer.status === 200 && status === "degraded";
  const health = critical(
    "gateway.health",
    `${url} is not well: ${typeof reason === "string" ? reason : `HTTP ${answer.status}`}`,
    isWorker
      ? `check that its WORKER_URL leads to the worker; ${SAME_TOKEN}`
      : "check the gateway's log and the disk of EGRESS_STATE",
  );
  return [health, clock];
}

async function checkTls(url: string): Promise<CheckResults> {
  const { protocol, hostname, host } = new URL(url);
  if (protocol === "https:") return judgeServer("gateway.tls", host, url);
  if (isLocal(hostname)) return [];
  return critical(
    "gateway.tls",
    `${url} is not https: mail and the token travel unencrypted`,
    "put TLS in front of the gateway's egress",
  );
}
