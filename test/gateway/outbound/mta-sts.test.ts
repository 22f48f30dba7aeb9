// Tests MTA-STS (RFC 8461): which policies are valid, for how long, and which servers they permit.
import { describe, expect, it } from "vitest";
import { targetsBy } from "../../../smtp-gateway/src/outbound/delivery.ts";
import { matchesPolicy, MtaSts } from "../../../smtp-gateway/src/outbound/mta-sts.ts";
import { type DnsResolver, MxResolver } from "../../../smtp-gateway/src/outbound/mx.ts";
import { zoneDns } from "./direct-delivery.ts";

const policy = (mode: string, maxAge = 86_400, mx = ["mx.test", "*.mail.test"]): string =>
  [
    "version: STSv1",
    `mode: ${mode}`,
    ...mx.map((name) => `mx: ${name}`),
    `max_age: ${maxAge}\r\n`,
  ].join("\r\n");

function startHarness() {
  const record = { id: "1" as string | null, txt: null as string[] | null };
  const world = { ...record, text: policy("enforce") as string | null, now: 0, fetched: 0 };
  const dns: DnsResolver = {
    ...zoneDns({}),
    resolveTxt: async () => {
      if (world.id === null) throw Object.assign(new Error(), { code: "ENOTFOUND" });
      return (world.txt ?? [`v=STSv1; id=${world.id};`]).map((text) => [text]);
    },
  };
  const fetchPolicy = async (): Promise<string> => {
    world.fetched++;
    if (world.text === null) throw new Error("unreachable");
    return world.text;
  };
  return { sts: new MtaSts(dns, fetchPolicy, () => world.now), world };
}

const ENFORCED = ["mx.test", "*.mail.test"];
const RECHECK = 301_000;

describe("an MTA-STS policy", () => {
  it("is enforced in mode `enforce`, fetched once, and fetched again when its id changes", async () => {
    const { sts, world } = startHarness();
    const both = [sts.enforcedBy("example.test"), sts.enforcedBy("example.test")];
    expect(await Promise.all(both)).toEqual([ENFORCED, ENFORCED]);
    world.now += RECHECK;
    expect(await sts.enforcedBy("example.test")).toEqual(ENFORCED);
    expect(world.fetched).toBe(1);
    Object.assign(world, { id: "2", text: policy("none") });
    world.now += RECHECK;
    expect(await sts.enforcedBy("example.test")).toBeNull();
    expect(world.fetched).toBe(2);
  });

  it("stays in force until max_age is over, even without its record and its file", async () => {
    const { sts, world } = startHarness();
    await sts.enforcedBy("example.test");
    Object.assign(world, { id: null, text: null });
    world.now += RECHECK;
    expect(await sts.enforcedBy("example.test")).toEqual(ENFORCED);
    Object.assign(world, { id: "3" });
    world.now += RECHECK;
    expect(await sts.enforcedBy("example.test")).toEqual(ENFORCED);
    world.now += 86_400_000;
    expect(await sts.enforcedBy("example.test")).toBeNull();
  });

  it.each<[string, object]>([
    ["mode testing", { text: policy("testing") }],
    ["mode none", { text: policy("none") }],
    ["no record", { id: null }],
    ["two records", { txt: ["v=STSv1; id=1;", "v=STSv1; id=2;"] }],
    ["a record of something else", { txt: ["v=STSv12; id=1;"] }],
    ["a file that can't be had", { text: null }],
    ["an empty file", { text: "" }],
    ["a malformed file", { text: "hello" }],
    ["another version", { text: "version: STSv2\nmode: enforce\nmx: mx.test\nmax_age: 86400" }],
    ["no server in mode enforce", { text: "version: STSv1\nmode: enforce\nmax_age: 86400" }],
    ["an unknown mode", { text: policy("maybe") }],
    ["a max_age in words", { text: "version: STSv1\nmode: enforce\nmx: mx.test\nmax_age: soon" }],
  ])("does not count with %s", async (_name, changes) => {
    const { sts, world } = startHarness();
    Object.assign(world, changes);
    expect(await sts.enforcedBy("example.test")).toBeNull();
  });

  it("is kept for a year at most", async () => {
    const { sts, world } = startHarness();
    world.text = policy("enforce", 9_999_999_999);
    await sts.enforcedBy("example.test");
    Object.assign(world, { id: null, text: null });
    world.now = 31_557_600_000 - 1;
    expect(await sts.enforcedBy("example.test")).toEqual(ENFORCED);
    world.now += RECHECK;
    expect(await sts.enforcedBy("example.test")).toBeNull();
  });

  it("permits hosts by their whole name, or by a wildcard for one label", () => {
    for (const host of ["mx.test", "MX.test", "a.mail.test"])
      expect(matchesPolicy(host, ENFORCED)).toBe(true);
    for (const host of ["x.mx.test", "mail.test", "a.b.mail.test", "test", "evilmail.test"])
      expect(matchesPolicy(host, ENFORCED)).toBe(false);
  });
});

describe("the servers of a domain", () => {
  const dns = zoneDns({
    "MX example.test": ["evil.test", "mx.test"].map((exchange, priority) => ({
      exchange,
      priority,
    })),
    "A evil.test": ["8.8.8.8"],
    "A mx.test": ["8.8.8.8"],
    "TXT _mta-sts.example.test": [["v=STSv1; id=1"]],
  });
  const mx = new MxResolver(dns, { hostname: "x", allowPrivate: false });
  const under = (text: string): MtaSts => new MtaSts(dns, async () => text);

  it("are those that its policy names, with TLS", async () => {
    const targets = targetsBy([], mx, under(policy("enforce")), 25);
    const server = { host: "mx.test", port: 25, addresses: ["8.8.8.8"] };
    const target = { ...server, tlsRequired: true, mayBeOurs: false };
    expect(await targets("example.test")).toEqual({ targets: [target] });
  });

  it("are left out if its policy names none of them", async () => {
    const targets = targetsBy([], mx, under(policy("enforce", 1, ["other.test"])), 25);
    const none = { kind: "failure", cause: "tls", mx_host: "evil.test" };
    expect(await targets("example.test")).toMatchObject({ none });
  });

  it("are all used without a policy, and the operator's route comes first", async () => {
    expect(await targetsBy([], mx, null, 25)("example.test")).toMatchObject({
      targets: [{ host: "evil.test", tlsRequired: false }, { host: "mx.test" }],
    });
    const routes = [
      { pattern: "*", host: "127.0.0.1", port: 1 },
      { pattern: "example.test", host: "127.0.0.2", port: 2 },
    ];
    const targets = targetsBy(routes, mx, under(policy("enforce")), 25);
    const routed = { host: "127.0.0.2", port: 2, tlsRequired: false };
    expect(await targets("example.test")).toMatchObject({ targets: [routed] });
    expect(await targets("else.test")).toMatchObject({ targets: [{ host: "127.0.0.1", port: 1 }] });
  });
});
