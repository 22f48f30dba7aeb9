// Lists the records of the service's own domain, to which customers' aliases point (docs/dns.md
// §What set-up publishes once): return-paths with MX and SPF, tracking hosts, the mail server, and
// the mail server's reverse DNS. The worker publishes the DKIM keys of each domain below `dkim`.
import type { PutRecord } from "./dns-server.ts";

const LOOPBACK = "127.0.0.1";

export function serviceRecords(serviceDomain: string): PutRecord[] {
  return [
    { name: `*.return-path.${serviceDomain}`, type: "MX", data: `10 mx.${serviceDomain}` },
    {
      name: `*.return-path.${serviceDomain}`,
      type: "TXT",
      data: `v=spf1 include:spf.${serviceDomain} ~all`,
    },
    { name: `feedback.${serviceDomain}`, type: "MX", data: `10 mx.${serviceDomain}` },
    { name: serviceDomain, type: "MX", data: `10 mx.${serviceDomain}` },
    { name: `*.track.${serviceDomain}`, type: "A", data: LOOPBACK },
    { name: `mx.${serviceDomain}`, type: "A", data: LOOPBACK },
    { name: `gateway.${serviceDomain}`, type: "A", data: LOOPBACK },
    { name: "1.0.0.127.in-addr.arpa", type: "PTR", data: `gateway.${serviceDomain}` },
    { name: `spf.${serviceDomain}`, type: "TXT", data: `v=spf1 ip4:${LOOPBACK} ip6:::1 -all` },
  ];
}
