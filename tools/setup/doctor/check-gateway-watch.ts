// Reads each gateway's report about itself (GET /admin/gateways): its addresses, their names, the
// service's SPF record, its certificate, and block lists. Only a gateway knows the addresses that
// its mail leaves from. So the gateway makes these checks, and the doctor prints their results.
import { call, NoHttpResponse } from "../json-call.ts";
import { type Finding, ok, skip } from "./finding.ts";
import type { Target } from "./doctor-target.ts";

/** The body of GET /admin/gateways. */
interface Gateways {
  readonly gateways: readonly { readonly url: string; readonly watch: Watch | null }[];
}

interface Watch {
  readonly checked_at: string | null;
  readonly findings: readonly {
    readonly check: string;
    readonly status: "ok" | "warning" | "failed" | "unknown";
    readonly message: string;
    readonly advice: string | null;
    readonly link: string | null;
  }[];
}

const WATCH = "gateway.watch";

export async function checkGatewayWatches({
  url,
  adminToken,
  egressUrls,
}: Target): Promise<Finding[]> {
  if (egressUrls.length === 0) return [];
  if (adminToken === undefined) return [skip(WATCH, "needs the ADMIN_TOKEN")];
  try {
    const answer = await call("GET", `${url}/admin/gateways`, { token: adminToken });
    if (answer.status !== 200) return [skip(WATCH, `${url}/admin/gateways: HTTP ${answer.status}`)];
    const { gateways } = answer.json as Gateways;
    return gateways.flatMap((gateway) => findingsOf(gateway, gateways.length > 1));
  } catch (error) {
    if (!(error instanceof NoHttpResponse)) throw error;
    return [skip(WATCH, `${url} does not answer`)];
  }
}

function findingsOf(
  { url, watch }: Gateways["gateways"][number],
  isOneOfSeveral: boolean,
): Finding[] {
  if (watch === null)
    return [
      skip(WATCH, `${url} reports nothing about itself: it is down, or has an earlier version`),
    ];
  if (watch.checked_at === null) return [skip(WATCH, `${url} has not checked itself yet`)];
  const where = isOneOfSeveral ? ` (${url})` : "";
  return watch.findings.map(({ check, status, message, advice, link }): Finding => {
    const name = `gateway.${check}`;
    const what = `${message}${where}`;
    if (status === "ok") return ok(name, what);
    const mend = [advice, link].filter((one) => one !== null).join(": ");
    return { check: name, status: status === "failed" ? "FAIL" : "warn", what, mend };
  });
}
