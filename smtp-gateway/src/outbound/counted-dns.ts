// The door to DNS with its answers counted: what was found, what there is not, and what could not
// be said.
import type { GatewayMetrics } from "../gateway-metrics.ts";
import type { DnsDoor } from "./mx.ts";

/** Codes of node:dns that are an answer. */
const ABSENT = new Set(["ENOTFOUND", "ENODATA", "EBADNAME"]);

export function countedDns(dns: DnsDoor, metrics: GatewayMetrics): DnsDoor {
  const counted = async <T>(type: string, query: Promise<T>): Promise<T> => {
    try {
      const records = await query;
      metrics.count("postern_gateway_dns_lookups_total", [type, "found"]);
      return records;
    } catch (error) {
      const isAbsent = ABSENT.has((error as NodeJS.ErrnoException).code ?? "");
      metrics.count("postern_gateway_dns_lookups_total", [type, isAbsent ? "none" : "failed"]);
      throw error;
    }
  };
  return {
    resolveMx: (name) => counted("mx", dns.resolveMx(name)),
    resolve4: (name) => counted("a", dns.resolve4(name)),
    resolve6: (name) => counted("aaaa", dns.resolve6(name)),
    resolveTxt: (name) => counted("txt", dns.resolveTxt(name)),
  };
}
