// Tests how the console sums up a domain's state, from the API's answer and from DNS as it is now.
import { expect, it } from "vitest";
import {
  summarizeDomain,
  isProblem,
  isWaiting,
  isWorthVerifying,
  stateOf,
  summarizeTracking,
} from "../../../console/src/pages/domains/domain-summary.ts";
import { sentFrom } from "../../../console/src/pages/domains/sent-from.ts";
import { namesIn } from "../../../console/src/pages/domains/quoted-names.ts";
import { recordRows, zoneOf } from "../../../console/src/pages/domains/record-rows.ts";
import type { Domain, DomainDnsRecord } from "../../../packages/postern/src/generated/types.ts";
import { countsWith } from "./stats-entries.ts";

const BOUNCES = { type: "CNAME", name: "bounces.news", value: "b.svc", purpose: "verification" };
const KEY = { type: "CNAME", name: "ps1._domainkey.news", value: "k.svc", purpose: "dkim" };
const CLICK = { type: "CNAME", name: "click.news", value: "t.svc", purpose: "tracking" };

const OFF = { status: "disabled", dns_records: [], subdomain: null, verification_failure: null };
const ON = { opens_enabled: true, clicks_enabled: true, subdomain: "click", dns_records: [CLICK] };

const DOMAIN = {
  name: "news.acme.shop",
  status: "pending",
  dns_records: [BOUNCES, KEY],
  verification_failure: null,
  tracking: { ...OFF, opens_enabled: false, clicks_enabled: false },
} as unknown as Domain;

const TRACKED = {
  ...DOMAIN,
  status: "verified",
  tracking: { ...OFF, ...ON, status: "pending" },
} as unknown as Domain;

function seen(
  record: typeof BOUNCES,
  status: DomainDnsRecord["status"],
  message = "Right.",
): DomainDnsRecord {
  const answer = { host: "", expected: record.value, status, found: [], message };
  return { ...record, ...answer } as DomainDnsRecord;
}

it("finds the zone from the record that every domain has", () => {
  expect(zoneOf(DOMAIN)).toBe("acme.shop");
  const apex = { ...BOUNCES, name: "bounces" } as Domain["dns_records"][number];
  expect(zoneOf({ ...DOMAIN, name: "bounces.com", dns_records: [apex] })).toBe("bounces.com");
  expect(recordRows(DOMAIN, null)[1]?.host).toBe("ps1._domainkey.news.acme.shop");
});

it("tells records of one name apart by their values", () => {
  const server = { type: "MX", name: "cf-bounce", purpose: "bounces" } as const;
  const servers = ["r1.mx", "r2.mx"].map((value) => ({ ...server, value }));
  const rows = recordRows({ ...DOMAIN, courier_dns_records: servers }, [
    { ...seen(BOUNCES, "ok"), type: "MX", name: "cf-bounce", expected: "r2.mx" },
  ]);
  expect(rows.map((row) => [row.value, row.seen?.status])).toEqual([
    ["b.svc", undefined],
    ["k.svc", undefined],
    ["r1.mx", undefined],
    ["r2.mx", "ok"],
  ]);
});

it("says what the verification found until DNS gives a newer answer", () => {
  const failure = { code: "dkim_cname_missing", message: "ps1 has no CNAME." } as const;
  const failed = { ...DOMAIN, verification_failure: failure };
  const said = { sentence: "ps1 has no CNAME.", code: "dkim_cname_missing" };
  expect(summarizeDomain(failed, recordRows(failed, null))).toEqual({ tone: "bad", ...said });
  const rows = recordRows(failed, [
    seen(BOUNCES, "mismatch", "bounces leads elsewhere."),
    seen(KEY, "missing", "ps1 has no CNAME. Publish one."),
  ]);
  const more = { ...said, sentence: "ps1 has no CNAME. Publish one." };
  expect(summarizeDomain(failed, rows)).toMatchObject(more);
  const elsewhere = "bounces leads elsewhere.";
  const moved = recordRows(failed, [seen(BOUNCES, "mismatch", elsewhere), seen(KEY, "ok")]);
  expect(summarizeDomain(failed, moved)).toMatchObject({ sentence: elsewhere, code: null });
  expect(stateOf(failed, moved).words).toBe("1 of 2 records found");
});

it("a domain is worth verifying only once all its needed records are seen", () => {
  const some = recordRows(DOMAIN, [seen(BOUNCES, "ok"), seen(KEY, "unknown")]);
  const all = recordRows(DOMAIN, [seen(BOUNCES, "ok"), seen(KEY, "ok")]);
  expect(isWorthVerifying(DOMAIN, recordRows(DOMAIN, null))).toBe(false);
  expect(isWorthVerifying(DOMAIN, some)).toBe(false);
  expect(isWorthVerifying(DOMAIN, all)).toBe(true);
  expect(summarizeDomain(DOMAIN, all).sentence).toContain("All records are correct");
  expect(isWorthVerifying({ ...DOMAIN, status: "verified" }, all)).toBe(false);
});

it("waits for the tracking of a verified domain too", () => {
  const missing = recordRows(TRACKED, [
    seen(BOUNCES, "ok"),
    seen(KEY, "ok"),
    seen(CLICK, "missing", "click has no CNAME."),
  ]);
  expect(isWaiting(TRACKED)).toBe(true);
  expect(isWorthVerifying(TRACKED, missing)).toBe(false);
  expect(summarizeTracking(TRACKED, missing)).toMatchObject({
    tone: "bad",
    sentence: "Tracking starts once click.news.acme.shop is verified. click has no CNAME.",
  });
  expect(isWorthVerifying(TRACKED, recordRows(TRACKED, [seen(CLICK, "ok")]))).toBe(true);
  const verified = { ...TRACKED, tracking: { ...TRACKED.tracking, status: "verified" as const } };
  expect(summarizeTracking(verified, []).sentence).toBe(
    "Opens and clicks are tracked through click.news.acme.shop.",
  );
  expect(isWaiting(verified)).toBe(false);
});

it("sees no problem in a tracking record while tracking is off", () => {
  const off = { ...TRACKED, tracking: { ...TRACKED.tracking, status: "disabled" as const } };
  const rows = recordRows(off, [seen(CLICK, "missing", "click has no CNAME.")]);
  expect(rows.map((row) => [row.isNeeded, isProblem(row)])).toEqual([
    [true, false],
    [true, false],
    [false, false],
  ]);
});

it("says of a verified domain why its mail is held", () => {
  const reason = { code: "not_onboarded", message: "Ask the operator." } as const;
  const sending = { held: true, since: null, ...reason };
  const held = { ...DOMAIN, status: "verified" as const, sending };
  expect(summarizeDomain(held, recordRows(held, null))).toEqual({
    tone: "bad",
    sentence: "Ask the operator.",
    code: "not_onboarded",
  });
});

it("says of a verified domain that a record is gone", () => {
  const verified = { ...DOMAIN, status: "verified" as const };
  expect(summarizeDomain(verified, recordRows(verified, null))).toMatchObject({ tone: "ok" });
  const gone = recordRows(verified, [seen(KEY, "missing", "ps1 has no CNAME.")]);
  const sentence: unknown = expect.stringContaining("ps1 has no CNAME.");
  expect(summarizeDomain(verified, gone)).toMatchObject({ tone: "wait", sentence });
});

it("finds the names in a sentence, and neither its end nor a number", () => {
  const names = (sentence: string): string[] =>
    namesIn(sentence).flatMap(({ words, isName }) => (isName ? [words] : []));
  expect(names("ps1._domainkey.acme.shop has no CNAME. Publish k.svc.dev.")).toEqual([
    "ps1._domainkey.acme.shop",
    "k.svc.dev",
  ]);
  expect(names("TLS 1.3 for jo@acme.shop (p=none). Forged mail passes.")).toEqual([]);
  const parts = namesIn("a.b, or c").map(({ words }) => words);
  expect(parts.join("")).toBe("a.b, or c");
});

it.each([
  ["a.example", 3, 0, "3"],
  ["a.example", 1_200, 7, "1,200+"],
  ["b.example", 3, 0, "0"],
])("mail of 30 days from %s is counted, and a plus says that there may be more", (...row) => {
  const [domain, sent, rest, said] = row;
  const entry = (name: string, count: number) => ({
    sending_domain: name,
    counts: countsWith({ sent: count }),
  });
  expect(sentFrom(domain, [entry("a.example", sent), entry("other", rest)])).toBe(said);
});
