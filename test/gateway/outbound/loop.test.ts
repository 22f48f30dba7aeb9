// Tests a domain whose mail server is this gateway itself (RFC 5321 §5.1): the gateway causes no
// mail loop, whatever name DNS gives for it.
import { describe, expect, it } from "vitest";
import type { DnsResolver } from "../../../smtp-gateway/src/outbound/mx.ts";
import type { FakeMx, Script } from "../fake-mx.ts";
import { zoneDns } from "./direct-delivery.ts";
import { deliverOne, gateway, type OutcomeLine, startMx } from "../gateway-harness.ts";

/** The host name in the gateway's settings. */
const OWN_NAME = "out.postern.test";

/**
 * A fake DNS: the recipient's domain has one mail server for each of these addresses, in this order
 * of preference.
 */
function dns(addresses: readonly string[]): DnsResolver {
  const servers = addresses.map((_, at) => ({ exchange: `mx${at}.test`, priority: at }));
  const records = addresses.map((address, at) => [`A mx${at}.test`, [address]]);
  return zoneDns({ "MX example.net": servers, ...Object.fromEntries(records) });
}

/**
 * `named`: tells whether the gateway finds the server by DNS or by a route that the operator set.
 */
async function against(
  script: Script,
  named: "dns" | "route" = "dns",
  before: readonly string[] = [],
): Promise<{ line: OutcomeLine; mx: FakeMx }> {
  const mx = await startMx(script);
  const byDns = { routes: [], smtpPort: mx.port, allowPrivate: true };
  const { port } = await gateway(
    mx.port,
    named === "dns" ? byDns : {},
    dns([...before, "127.0.0.1"]),
  );
  return { line: await deliverOne(port, { key: "k" }), mx };
}

describe("a server that greets by the gateway's own name", () => {
  it.each<[string, Script]>([
    ["in reply to EHLO", { ehlo: `250-${OWN_NAME.toUpperCase()} greets you\r\n250 PIPELINING` }],
    ["in reply to HELO", { ehlo: "502 5.5.1 what?", helo: `250 ${OWN_NAME}` }],
  ])(
    "%s does not count as a mail server of the domain, and gets no mail",
    async (_what, script) => {
      const { line, mx } = await against(script);
      expect(line).toMatchObject({ kind: "failure", cause: "no_mail_server", mx_host: "mx0.test" });
      expect(mx.lines.filter((said) => said.startsWith("MAIL"))).toEqual([]);
    },
  );

  it("causes a deferral if the gateway could not reach a server of higher preference", async () => {
    const { line } = await against({ ehlo: `250 ${OWN_NAME}` }, "dns", ["127.0.0.9"]);
    expect(line).toMatchObject({ kind: "failure", cause: "connect", mx_host: "mx0.test" });
  });

  it("gets mail if the operator's route leads there", async () => {
    expect((await against({ ehlo: `250 ${OWN_NAME}` }, "route")).line).toMatchObject({
      kind: "reply",
      code: 250,
    });
  });
});

it("a server whose name only resembles the gateway's gets mail", async () => {
  expect((await against({ ehlo: `250 mail.${OWN_NAME}` })).line).toMatchObject({
    kind: "reply",
    code: 250,
  });
});
