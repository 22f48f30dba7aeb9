// Tests what the gateway finds about itself (docs/gateway-watch.md) with the test's own DNS: the
// answer to GET /watch, the metrics, and the cases of each check.
import { describe, expect, it } from "vitest";
import type { GatewaySettings } from "../../../smtp-gateway/src/config.ts";
import { BLOCK_LISTS } from "../../../smtp-gateway/src/watch/block-lists.ts";
import { findOwnAddresses } from "../../../smtp-gateway/src/watch/own-addresses.ts";
import { reverseLabels, reverseName } from "../../../smtp-gateway/src/watch/reverse-name.ts";
import { judgeCertificate, Watch } from "../../../smtp-gateway/src/watch/watch.ts";
import { NoDnsAnswer } from "../../../smtp-gateway/src/watch/watch-dns.ts";
import { type PutRecord, startDns } from "../../../tools/dev/dns/dns-server.ts";
import {
  cleanups,
  gateway,
  read as readPath,
  settings,
  temporaryDirectory,
  TOKEN,
} from "../gateway-harness.ts";

const FOUR = "8.20.30.40";
const SIX = "2600:1f00::7";
const HOST = "out.postern.test";
const DAY_MS = 86_400_000;
const ZEN = BLOCK_LISTS[0]!;

type Records = Readonly<Record<string, readonly string[] | "silent">>;

/** DNS records with which every check of the addresses FOUR and SIX succeeds. */
const GOOD: Records = {
  [`A ${HOST}`]: [FOUR],
  [`AAAA ${HOST}`]: [SIX],
  [`PTR ${reverseName(FOUR)}`]: [HOST],
  [`PTR ${reverseName(SIX)}`]: [HOST],
  "TXT gateway-watch.return-path.post.test": [`v=spf1 a:${HOST} -all`],
};

/** Block lists in DNS that list only their test address 127.0.0.2. */
const LISTS: Records = Object.fromEntries(
  BLOCK_LISTS.map(({ zone }) => [`A 2.0.0.127.${zone}`, ["127.0.0.2"]]),
);

/** `asked` gets the names of all DNS questions. */
function watchOf(
  records: Records,
  overrides: Partial<GatewaySettings> = {},
  asked: string[] = [],
): Watch {
  const dns = async (name: string, type: string) => {
    asked.push(name);
    const answer = records[`${type} ${name}`] ?? [];
    if (answer === "silent") throw new NoDnsAnswer(`DNS gave no answer for ${type} ${name}`);
    return answer;
  };
  const ours = { publicAddresses: [FOUR], serviceDomain: "post.test" };
  const given = settings(1, { routes: [], ...ours, ...overrides });
  return new Watch(given, { certificateExpiresAt: () => null, dns, blockListDns: dns });
}

/** Returns the results that are not ok, as `status check subject: message`. */
async function faultsOf(records: Records, overrides: Partial<GatewaySettings> = {}) {
  const watch = watchOf(records, overrides);
  await watch.start();
  watch.close();
  return watch.report.findings
    .filter(({ status }) => status !== "ok")
    .map(({ status, check, subject, message }) => `${status} ${check} ${subject}: ${message}`);
}

describe("a gateway", () => {
  it("reports what it found at its start, only with the worker's token, and in its metrics", async () => {
    const records = Object.entries({
      ...GOOD,
      ...LISTS,
      [`A ${reverseLabels(FOUR)}.${ZEN.zone}`]: ["127.0.0.2"],
    }).map(([question, data]): PutRecord => {
      const [type = "", name = ""] = question.split(" ");
      return { type: type as PutRecord["type"], name, data };
    });
    const zone = { id: "0".repeat(32), name: "post.test", token: "t" };
    const dns = await startDns(0, temporaryDirectory(), zone, records);
    const servers = [`127.0.0.1:${dns.port}`];
    cleanups.push(() => dns.close());
    const { port } = await gateway(1, {
      routes: [],
      dnsServers: servers,
      blockListDns: servers,
      publicAddresses: [FOUR, SIX.toUpperCase()],
      serviceDomain: "post.test",
    });
    const read = (path: string, token = TOKEN) => readPath(port, path, token);
    expect((await read("/watch", "another")).status).toBe(401);
    const report = async () => (await (await read("/watch")).json()) as Watch["report"];
    await expect.poll(report).toMatchObject({ checked_at: expect.any(String) });
    const { findings } = await report();
    expect(findings.filter(({ status }) => status !== "ok")).toEqual([
      {
        check: "block_list",
        status: "critical",
        subject: "Spamhaus ZEN",
        message: `Spamhaus ZEN lists ${FOUR} (127.0.0.2: SBL, a source of spam)`,
        advice: expect.stringContaining("remove the address"),
        link: "https://check.spamhaus.org/",
      },
    ]);
    const passed = findings.filter(({ status }) => status === "ok");
    expect(passed.map(({ check, subject }) => `${check} ${subject}`).toSorted()).toEqual(
      [
        "addresses null",
        ...["ptr", "helo", "spf"].flatMap((check) => [`${check} ${FOUR}`, `${check} ${SIX}`]),
        ...["Barracuda", "PSBL", "SpamCop", "Spamhaus ZEN"].map((name) => `block_list ${name}`),
      ].toSorted(),
    );
    const metrics = await (await read("/metrics")).text();
    expect(metrics).toContain('postern_gateway_watch_failed{check="block_list"} 1\n');
    expect(metrics).toContain('postern_gateway_watch_failed{check="ptr"} 0\n');
    expect(metrics).toMatch(/^postern_gateway_watch_timestamp_seconds \d+/m);
  });
});

describe("the names of an address", () => {
  const reverse = `PTR ${reverseName(FOUR)}`;
  it.each<[string, Records, RegExp[]]>([
    ["agree", {}, []],
    ["lack reverse DNS", { [reverse]: [] }, [/^critical ptr .* has no reverse DNS/]],
    [
      "do not lead back",
      { [reverse]: ["host.provider.test"] },
      [/^critical ptr .* is host\.provider\.test, which does not lead back/],
    ],
    [
      "are others than EHLO's",
      { [reverse]: ["a.test"], "A a.test": [FOUR] },
      [/^warning helo .* is a\.test, but EHLO gives the name out\.postern\.test/],
    ],
    [
      "are unknown to DNS for now",
      { [reverse]: "silent" },
      [/^unknown ptr .* no answer/, /^unknown helo .* no answer/],
    ],
    [
      "have an EHLO without an address",
      { [`A ${HOST}`]: [], [`AAAA ${HOST}`]: [], [reverse]: ["a.test"], "A a.test": [FOUR] },
      [/^critical helo .* which has no address/, /^critical spf/],
    ],
    [
      "have an EHLO that leads elsewhere",
      { [`A ${HOST}`]: ["8.20.30.41"], [reverse]: ["a.test"], "A a.test": [FOUR] },
      [/^warning helo .* leads to 8\.20\.30\.41/, /^critical spf/],
    ],
  ])("are compared: they %s", async (_, changes, lines) => {
    expect(await faultsOf({ ...GOOD, ...changes })).toEqual(
      lines.map((line) => expect.stringMatching(line) as string),
    );
  });

  it("with an address in EHLO are a fault, because many servers refuse it", async () => {
    const [first] = await faultsOf(GOOD, { hostname: FOUR });
    expect(first).toMatch(/^critical helo .* instead of a host name/);
  });
});

describe("the service's SPF", () => {
  const SPF = "TXT gateway-watch.return-path.post.test";
  it.each<[string, Records[string], RegExp]>([
    ["no record", [], /^critical spf .* has no SPF record/],
    [
      "another address",
      ["v=spf1 ip4:8.20.30.41 -all"],
      /^critical spf .* let 8\.20\.30\.40 send \(fail\)/,
    ],
    ["two records", ["v=spf1 -all", "v=spf1 +all"], /^critical spf .* can't be used/],
    ["macros", ["v=spf1 exists:%{i}.test -all"], /^unknown spf .* macros/],
    ["no answer from DNS", "silent", /^unknown spf .* no answer/],
  ])("with %s is reported", async (_, answer, line) => {
    expect(await faultsOf({ ...GOOD, [SPF]: answer })).toEqual([expect.stringMatching(line)]);
  });

  it("is unknown to a gateway without SERVICE_DOMAIN, which says so once", async () => {
    const found = await faultsOf(GOOD, { serviceDomain: null, publicAddresses: [FOUR, SIX] });
    expect(found).toEqual([expect.stringMatching(/^unknown spf null: SERVICE_DOMAIN is not set/)]);
  });
});

const WITH_LISTS = { blockListDns: ["127.0.0.1"] };

describe("a block list", () => {
  const about = `A ${reverseLabels(FOUR)}.${ZEN.zone}`;
  const test = `A 2.0.0.127.${ZEN.zone}`;
  const counter = `A 1.0.0.127.${ZEN.zone}`;
  it.each<[string, Records, RegExp | null]>([
    ["that lists nothing", {}, null],
    ["that lists a range", { [about]: ["127.0.0.10"] }, /^critical .*127\.0\.0\.10: PBL/],
    [
      "with an answer of unknown meaning",
      { [about]: ["127.0.0.77"] },
      /^critical .*unknown reason/,
    ],
    [
      "that refuses a public resolver",
      { [test]: ["127.255.255.254"] },
      /^unknown .* refuses to answer \(127\.255\.255\.254: .* public resolver\)$/,
    ],
    [
      "that refuses after too many queries",
      { [about]: ["127.255.255.255"] },
      /^unknown .* refuses to answer .* too many questions/,
    ],
    ["that is closed", { [test]: [] }, /^unknown .* no entry for tests/],
    ["that lists every address", { [counter]: ["127.0.0.2"] }, /^unknown .* lists every address/],
    ["with a parked domain", { [test]: ["8.1.1.1"] }, /^unknown .* block lists do not answer this/],
    ["that does not answer", { [test]: "silent" }, /^unknown .* no answer/],
  ])("%s has a result of its own", async (_, changes, line) => {
    const found = await faultsOf({ ...GOOD, ...LISTS, ...changes }, WITH_LISTS);
    expect(found).toEqual(line === null ? [] : [expect.stringMatching(line)]);
  });

  it("is asked only if a resolver for it is set, and about IPv6 only if it lists IPv6", async () => {
    const look = async (blockListDns: string[]) => {
      const asked: string[] = [];
      const own = { publicAddresses: [SIX], blockListDns };
      const watch = watchOf({ ...GOOD, ...LISTS }, own, asked);
      await watch.start();
      watch.close();
      return BLOCK_LISTS.filter(({ zone }) => asked.some((name) => name.endsWith(zone)));
    };
    expect(await look([])).toEqual([]);
    expect((await look(["127.0.0.1"])).map(({ name }) => name)).toEqual(["Spamhaus ZEN"]);
  });
});

describe("the source addresses of mail", () => {
  const none = { publicAddresses: [], sources: new Map<string, string[]>(), routes: [] };
  const system = (four: string | null, six: string | null) => async (family: 4 | 6) =>
    family === 4 ? four : six;

  it.each<[string, Parameters<typeof findOwnAddresses>[0], string | null, string[]]>([
    ["are those that the operator names", { ...none, publicAddresses: [SIX] }, FOUR, [SIX]],
    ["are the system's where no pool is set", none, FOUR, [FOUR, SIX]],
    [
      "are the pools' and the system's without a default pool",
      { ...none, sources: new Map([["bulk", ["8.20.30.41"]]]) },
      FOUR,
      ["8.20.30.41", FOUR, SIX],
    ],
    [
      "are the pools' alone with a default pool",
      { ...none, sources: new Map([["default", ["8.20.30.41"]]]) },
      FOUR,
      ["8.20.30.41"],
    ],
    ["are unknown where a route takes all mail", { ...none, routes: [{ pattern: "*" }] }, FOUR, []],
  ])("%s", async (_, given, four, known) => {
    expect((await findOwnAddresses(given, system(four, SIX))).known).toEqual(known);
  });

  it("behind NAT are unknown and never guessed", async () => {
    const { known, results } = await findOwnAddresses(none, system("10.0.0.7", null));
    expect(known).toEqual([]);
    const unknown = { check: "addresses", status: "unknown", subject: "10.0.0.7" };
    expect(results).toMatchObject([unknown]);
    expect(results[0]?.advice).toContain("EGRESS_ADDRESSES");
    const lost = await findOwnAddresses(none, system(null, null));
    expect(lost.results[0]?.message).toContain("no route");
  });
});

describe("the mail ports' certificate", () => {
  it.each([
    [60, "ok", "valid for 60 days"],
    [13, "warning", "expires in 13 days, on 2026-12-14"],
    [-1, "critical", "expired on 2026-11-30"],
  ])("with %i days left is %s", (days, status, says) => {
    const now = Date.parse("2026-12-01T00:00:00Z");
    const found = judgeCertificate(now + days * DAY_MS, now);
    expect([found.status, found.message]).toEqual([status, expect.stringContaining(says)]);
  });
});
