// Counts DNS look-ups by result: the records were found, the name has no such record, or the
// look-up failed.
import type { GatewayMetrics } from "../gateway-metrics.ts";
import type { DnsResolver } from "./mx.ts";

/** Error codes of node:dns which mean that the name has no such record. */
const ABSENT = new Set(["ENOTFOUND", "ENODATA", "EBADNAME"]);

export function countDnsLookups(dns: DnsResolver, metrics: GatewayMetrics): DnsResolver {
  const countQuery = async <T>(type: string, query: Promise<T>): Promise<T> => {
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
    resolveMx: (name) => countQuery("mx", dns.resolveMx(name)),
    resolve4: (name) => countQuery("a", dns.resolve4(name)),
    resolve6: (name) => countQuery("aaaa", dns.resolve6(name)),
    resolveTxt: (name) => countQuery("txt", dns.resolveTxt(name)),
  };
}
