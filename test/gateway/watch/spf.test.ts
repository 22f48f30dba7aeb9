// Tests how the gateway evaluates SPF (smtp-gateway/src/watch/spf.ts, RFC 7208) and DNS names,
// against a table of records.
import { describe, expect, it } from "vitest";
import { reverseName } from "../../../smtp-gateway/src/watch/reverse-name.ts";
import { evaluateSpf } from "../../../smtp-gateway/src/watch/spf.ts";
import type { WatchDns } from "../../../smtp-gateway/src/watch/watch-dns.ts";

const OURS = "192.0.2.10";

/** Makes a DNS function from a map such as `TXT x.test` to the record's values. */
function dnsWith(records: Record<string, readonly string[]>): WatchDns {
  return async (name, type) => records[`${type} ${name}`] ?? [];
}

describe("a policy", () => {
  it.each([
    ["v=spf1 ip4:192.0.2.10 -all", "pass"],
    ["v=spf1 ip4:192.0.2.0/24 -all", "pass"],
    ["v=spf1 ip4:192.0.3.0/24 -all", "fail"],
    ["v=spf1 ip4:192.0.3.0/24 ~all", "softfail"],
    ["v=spf1 ip4:192.0.3.0/24 ?all", "neutral"],
    ["v=spf1 ip4:192.0.3.0/24", "neutral"],
    ["v=spf1 -ip4:192.0.2.10 +all", "fail"],
    ["v=spf1 a:mx.test -all", "pass"],
    ["v=spf1 A:other.test/24 -ALL", "pass"],
    ["v=spf1 a -all", "fail"],
    ["v=spf1 mx:mail.test -all", "pass"],
    ["v=spf1 include:inner.test -all", "pass"],
    ["v=spf1 include:strict.test ~all", "softfail"],
    ["v=spf1 include:nothing.test -all", "permerror"],
    ["v=spf1 include:loop.test -all", "permerror"],
    ["v=spf1 redirect=inner.test", "pass"],
    ["v=spf1 redirect=nothing.test", "permerror"],
    ["v=spf1 exp=why.test ip4:192.0.2.10 -all", "pass"],
    ["v=spf1 exists:%{i}.test -all", "unknown"],
    ["v=spf1 ip4:192.0.2.10 exists:%{i}.test -all", "pass"],
    ["v=spf1 mailto:x -all", "permerror"],
    ["v=spf1 ip6:2001:db8::/32 -all", "fail"],
  ])("%s gives the gateway's address the result %s", async (policy, result) => {
    const dns = dnsWith({
      "TXT x.test": [policy, "verification=1"],
      "A mx.test": [OURS],
      "A other.test": ["192.0.2.77"],
      "MX mail.test": ["mx.test"],
      "TXT inner.test": ["v=spf1 ip4:192.0.2.10 -all"],
      "TXT strict.test": ["v=spf1 -all"],
      "TXT loop.test": ["v=spf1 include:loop.test -all"],
    });
    expect(await evaluateSpf(dns, "x.test", OURS)).toBe(result);
  });

  it("also covers IPv6; the result is `none` without a record, and an error with several records", async () => {
    const dns = dnsWith({
      "TXT x.test": ["v=spf1 ip6:2001:db8:1::/48 a:mx.test -all"],
      "AAAA mx.test": ["2001:db8:2::1"],
      "TXT two.test": ["v=spf1 -all", "v=spf1 +all"],
    });
    expect(await evaluateSpf(dns, "x.test", "2001:db8:1::9")).toBe("pass");
    expect(await evaluateSpf(dns, "x.test", "2001:db8:2::1")).toBe("pass");
    expect(await evaluateSpf(dns, "x.test", "2001:db8:3::1")).toBe("fail");
    expect(await evaluateSpf(dns, "none.test", OURS)).toBe("none");
    expect(await evaluateSpf(dns, "two.test", OURS)).toBe("permerror");
  });
});

describe("a reverse name", () => {
  it.each([
    ["192.0.2.10", "10.2.0.192.in-addr.arpa"],
    ["2001:db8::1", "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa"],
    [
      "2001:0DB8:0:0:0:0:0:1",
      "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa",
    ],
    ["::1", `1.${"0.".repeat(31)}ip6.arpa`],
  ])("of %s is %s", (address, name) => {
    expect(reverseName(address)).toBe(name);
  });
});
