// Tests how a domain is resolved to its mail servers (RFC 5321 §5.1, RFC 7505), with a resolver
// that answers as the test says.
import { describe, expect, it } from "vitest";
import { MxResolver } from "../../../smtp-gateway/src/outbound/mx.ts";
import { isPublicAddress } from "../../../smtp-gateway/src/outbound/public-address.ts";
import { type ZoneRecords, zoneDns } from "./direct-delivery.ts";
import { deliverOne, gateway } from "../gateway-harness.ts";

const OUT = "out.postern.test";
/** MX records, each in the form of a zone file: `10 mx.test`. */
const mx = (...records: string[]): { exchange: string; priority: number }[] =>
  records.map((record) => {
    const [priority, exchange = ""] = record.split(" ");
    return { exchange, priority: Number(priority) };
  });

async function resolve(
  zone: ZoneRecords,
  domain = "example.test",
  options: Partial<ConstructorParameters<typeof MxResolver>[1]> = {},
): Promise<unknown> {
  const found = await new MxResolver(zoneDns(zone), {
    hostname: OUT,
    allowPrivate: false,
    ...options,
  }).serversOf(domain);
  return "servers" in found
    ? found.servers.map(({ host, addresses }) => `${host} ${addresses.join(",")}`)
    : found.none.cause;
}

const MX = "MX example.test";
const OWN = "A example.test";
const FIRST = ["a.test 8.8.1.1"];
const NONE = "no_mail_server";
const A = { "A a.test": ["8.8.1.1"], "A b.test": ["8.8.2.2"], "A c.test": ["8.8.3.3"] };

describe("mail servers of a domain", () => {
  it.each<[string, ZoneRecords, unknown]>([
    ["by preference", { ...A, [MX]: mx("20 b.test", "10 a.test") }, [...FIRST, "b.test 8.8.2.2"]],
    [
      "IPv4 before IPv6",
      { ...A, [MX]: mx("10 a.test"), "AAAA a.test": ["2a00::1"] },
      ["a.test 8.8.1.1,2a00::1"],
    ],
    [
      "of IPv6 only",
      { [MX]: mx("1 six.test"), "AAAA six.test": ["2a00::1"] },
      ["six.test 2a00::1"],
    ],
    [
      "the domain itself when there is no MX",
      { [OWN]: ["8.8.9.9"], "AAAA example.test": ["2a00::9"] },
      ["example.test 8.8.9.9,2a00::9"],
    ],
    [
      "the domain itself when its MX says so",
      { [MX]: mx("5 example.test"), [OWN]: ["8.8.9.9"] },
      ["example.test 8.8.9.9"],
    ],
    ["with upper case and final dots", { ...A, [MX]: mx("10 A.Test.") }, FIRST],
    [
      "without those that have no address",
      { ...A, [MX]: mx("5 gone.test", "10 a.test"), "A gone.test": "ENOTFOUND" },
      FIRST,
    ],
    [
      "without those whose addresses can't be looked up now",
      {
        ...A,
        [MX]: mx("5 ill.test", "10 a.test"),
        "A ill.test": "ESERVFAIL",
        "AAAA ill.test": "ESERVFAIL",
      },
      FIRST,
    ],
    [
      "although one address family can't be looked up now",
      { ...A, [MX]: mx("10 a.test"), "AAAA a.test": "ETIMEOUT" },
      FIRST,
    ],
    ["that is an address instead of a name", { [MX]: mx("10 8.8.4.4") }, ["8.8.4.4 8.8.4.4"]],
    ["null MX", { [MX]: mx("0 "), [OWN]: ["8.8.9.9"] }, "null_mx"],
    ["null MX written as a dot", { [MX]: mx("0 .") }, "null_mx"],
    ["although a null MX stands beside them", { ...A, [MX]: mx("0 ", "10 a.test") }, FIRST],
    ["of a domain that does not exist", { [MX]: "ENOTFOUND", [OWN]: ["8.8.9.9"] }, NONE],
    ["of a domain with no records at all", {}, NONE],
    ["none of which has an address", { [MX]: mx("5 gone.test"), [OWN]: ["8.8.9.9"] }, NONE],
    ["when the name server fails", { [MX]: "ESERVFAIL" }, "dns"],
    ["when the name server is silent", { [MX]: "ETIMEOUT" }, "dns"],
    ["when the name server refuses", { [MX]: "EREFUSED" }, "dns"],
    [
      "when no address can be looked up now",
      { [MX]: mx("5 a.test"), "A a.test": "ETIMEOUT", "AAAA a.test": "ENODATA" },
      "dns",
    ],
    ["when there is no MX and addresses can't be looked up now", { [OWN]: "ESERVFAIL" }, "dns"],
    ["if the only one is this gateway itself", { [MX]: mx("10 Out.Postern.Test") }, NONE],
    [
      "only those of higher preference than this gateway itself",
      { ...A, [MX]: mx("5 a.test", `10 ${OUT}`, "10 b.test", "20 c.test") },
      FIRST,
    ],
    [
      "at loopback",
      { [MX]: mx("5 a.test"), "A a.test": ["127.0.0.1"], "AAAA a.test": ["::1"] },
      NONE,
    ],
    [
      "at private addresses as well as public ones",
      {
        [MX]: mx("5 a.test"),
        "A a.test": ["10.0.0.1", "8.8.1.1"],
        "AAAA a.test": ["::ffff:10.0.0.1"],
      },
      FIRST,
    ],
  ])("are found as DNS lists them: %s", async (_name, zone, expected) => {
    expect(await resolve(zone)).toEqual(expected);
  });

  it("with equal preferences are in a new random order each time", async () => {
    const door = zoneDns({
      ...A,
      [MX]: mx("10 a.test", "10 b.test", "5 c.test"),
    });
    const ties = [0.9, 0.1, 0.5, 0.1, 0.9, 0.5];
    const random = (): number => ties.shift()!;
    const resolver = new MxResolver(door, { hostname: "x", allowPrivate: false, random });
    const order = async (): Promise<unknown> => {
      const found = await resolver.serversOf("example.test");
      return "servers" in found && found.servers.map(({ host }) => host);
    };
    expect(await order()).toEqual(["c.test", "a.test", "b.test"]);
    expect(await order()).toEqual(["c.test", "b.test", "a.test"]);
  });

  it("are found under the domain's ASCII name", async () => {
    const zone = { ...A, "MX xn--bcher-kva.test": mx("1 a.test") };
    expect(await resolve(zone, "Bücher.test")).toEqual(FIRST);
  });

  it("may have private addresses if the operator permits it", async () => {
    const zone = { [MX]: mx("5 a.test"), "A a.test": ["127.0.0.1"] };
    const found = await resolve(zone, "example.test", { allowPrivate: true });
    expect(found).toEqual(["a.test 127.0.0.1"]);
  });

  it.each([
    ..."127.0.0.1 10.1.2.3 192.168.0.1 172.31.0.1 169.254.169.254 100.64.0.1 0.0.0.0".split(" "),
    ..."224.0.0.1 255.255.255.255 168.63.129.16 192.88.99.1 :: ::1 fe80::1 fd00::1".split(" "),
    ..."::ffff:127.0.0.1 ::ffff:7f00:1 64:ff9b::a00:1 64:ff9b::1 2002:a00:1::".split(" "),
    ..."64:ff9b::10.0.0.1 64:ff9b:1::808:808 ::ffff:0:8.8.8.8 ::8.8.8.8 2001:1ff::1".split(" "),
    ..."3fff::1 4000::1 5f00::1 ff02::1".split(" "),
  ])("never have the address %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
  it.each([
    ..."8.8.8.8 168.63.129.15 172.32.0.1 2001:200::1 2a00:1450::1".split(" "),
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
  ])("may have the address %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe("the cache of mail servers", () => {
  function timed(zone: ZoneRecords): {
    resolver: MxResolver;
    asked: () => number;
    now: { ms: number };
  } {
    const now = { ms: 0 };
    const door = zoneDns(zone);
    return {
      resolver: new MxResolver(door, { hostname: "x", allowPrivate: false, now: () => now.ms }),
      asked: () => door.asked.filter((name) => name.startsWith("MX")).length,
      now,
    };
  }

  it("keeps an answer for five minutes, or until it is dropped, and asks once for many deliveries", async () => {
    const { resolver, asked, now } = timed({ ...A, [MX]: mx("10 a.test") });
    await Promise.all([resolver.serversOf("example.test"), resolver.serversOf("EXAMPLE.test")]);
    now.ms = 299_000;
    await resolver.serversOf("example.test");
    expect(asked()).toBe(1);
    now.ms = 301_000;
    await resolver.serversOf("example.test");
    expect(asked()).toBe(2);
    resolver.forget("example.test");
    await resolver.serversOf("example.test");
    expect(asked()).toBe(3);
  });

  it("keeps a negative answer for a minute, and does not keep a failure", async () => {
    const zone = { "MX gone.test": "ENOTFOUND", "MX ill.test": "ESERVFAIL" };
    const { resolver, asked, now } = timed(zone);
    await resolver.serversOf("gone.test");
    await resolver.serversOf("gone.test");
    expect(asked()).toBe(1);
    now.ms = 61_000;
    await resolver.serversOf("gone.test");
    expect(asked()).toBe(2);
    await resolver.serversOf("ill.test");
    await resolver.serversOf("ill.test");
    expect(asked()).toBe(4);
  });

  it("is bounded", async () => {
    const { resolver, asked } = timed({});
    for (let at = 0; at < 10_001; at++) await resolver.serversOf(`d${at}.test`);
    await resolver.serversOf("d10000.test");
    expect(asked()).toBe(10_001);
    await resolver.serversOf("d0.test");
    expect(asked()).toBe(10_002);
  });
});

describe("a gateway with DNS", () => {
  it("reports a failure of DNS with its cause", async () => {
    const zone = { "MX gone.test": "ENOTFOUND", "MX ill.test": "ETIMEOUT" };
    const door = zoneDns({ ...zone, "MX null.test": mx("0 ") });
    const { port } = await gateway(0, { routes: [] }, door);
    const cause = async (domain: string): Promise<unknown> =>
      deliverOne(port, { key: domain, rcptTo: `x@${domain}` });
    const failure = { kind: "failure", mx_host: null };
    const unknown = { cause: NONE, detail: "the domain does not exist" };
    expect(await cause("gone.test")).toEqual({ ...failure, key: "gone.test", ...unknown });
    expect(await cause("null.test")).toMatchObject({ ...failure, cause: "null_mx" });
    expect(await cause("ill.test")).toMatchObject({ ...failure, cause: "dns" });
  });
});
