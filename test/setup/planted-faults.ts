// The faults that the doctor's tests plant one at a time. Each has the expected result, with the
// remedy: `<status> <check> <what> → <mend>`.
import { expect } from "vitest";
import { selfSigned } from "../../tools/harness/smtp/self-signed.ts";
import type { DoctorHarness } from "./doctor-harness.ts";
import { selfCheck } from "./fake-deployment.ts";

export type PlantedFault = readonly [
  plant: (one: DoctorHarness) => unknown,
  line: RegExp,
  /** `also`: the further checks of the doctor that fail because of this fault. */
  more?: { readonly args?: readonly string[]; readonly also?: readonly string[] },
];

const DAY_MS = 86_400_000;
export const BOUNCES = "*.return-path.post.example.com";
const SKIP_MESSAGE = ["--skip", "message"];

/** Expects that the doctor names the fault with its remedy, and that no other check fails. */
export async function expectFault(
  harness: DoctorHarness,
  [plant, line, { args = [], also = [] } = {}]: PlantedFault,
): Promise<void> {
  await plant(harness);
  const { code, text, findings } = await harness.examine(["--json", ...args]);
  const lines = findings.map(
    ({ check, status, what, mend }) => `${status} ${check} ${what} → ${mend}`,
  );
  const found = lines.filter((one) => line.test(one));
  expect(found, text).toHaveLength(1);
  const failed = findings.filter(({ status }) => status === "critical").map(({ check }) => check);
  expect(failed.filter((one) => !also.includes(one))).toEqual(
    found[0]?.startsWith("critical") ? [found[0].split(" ")[1]] : [],
  );
  expect(code).toBe(failed.length > 0 ? 1 : 0);
}

function watchFinds(
  one: DoctorHarness,
  ...findings: readonly ReturnType<typeof selfCheck>[]
): void {
  one.worker.watch = { checked_at: "2026-11-21T09:30:00.000Z", findings: [...findings] };
}

function count(one: DoctorHarness, sample: string, value: number): void {
  one.worker.samples[sample] = value;
}

export const FAULTS: Record<string, PlantedFault> = {
  "a return-path without MX": [
    (one) => one.dns(BOUNCES, "MX", null),
    /^critical dns\.mx .* has no MX record.* → publish MX 10 mx\.example\.com; npm run setup/,
  ],
  "a return-path that leads elsewhere": [
    (one) => one.dns(BOUNCES, "MX", "10 mail.other.net"),
    /^critical dns\.mx .* bounces to mail\.other\.net, not to mx\.example\.com → .*-conflict=replace/,
  ],
  "a mail host without an address": [
    (one) => one.dns("mx.example.com", "A", null),
    /^critical dns\.mx .* leads to mx\.example\.com, which has no address → publish its A/,
    { also: ["smtp.port"] },
  ],
  "a feedback address without MX": [
    (one) => one.dns("feedback.post.example.com", "MX", null),
    /^warning dns\.feedback .* no mail reaches fbl@feedback\.post.* → publish MX 10 mx\./,
  ],
  "a feedback address that leads elsewhere": [
    (one) => one.dns("feedback.post.example.com", "MX", "10 mail.other.net"),
    /^warning dns\.feedback .* at mail\.other\.net, not at mx\..* → .* another mail address/,
  ],
  "a postmaster without MX": [
    (one) => one.dns("post.example.com", "MX", null),
    /^warning dns\.postmaster .* no mail reaches postmaster@post.* → publish MX 10 mx\.example\.com/,
  ],
  "a return-path without SPF": [
    (one) => one.dns(BOUNCES, "TXT", null),
    /^critical dns\.spf .* has no SPF record.* → .*"v=spf1 a:mx\.example\.com -all"/,
  ],
  "two SPF records": [
    (one) => one.dns(BOUNCES, "TXT", ["v=spf1 a:mx.example.com -all", "v=spf1 -all"]),
    /^critical dns\.spf .* has 2 SPF records.* → keep only one/,
  ],
  "no wildcard for tracking": [
    (one) => one.dns("*.track.post.example.com", "A", null),
    /^critical dns\.track .* leads nowhere.* → publish a CNAME/,
  ],
  "a wildcard among the DKIM keys": [
    (one) => one.dns("*.dkim.post.example.com", "TXT", "v=DKIM1; p=x"),
    /^warning dns\.dkim .* answers for keys that were never published.* → remove that wildcard/,
  ],
  "a certificate that expired": [
    (one) => one.certify("egress", selfSigned(["localhost"], -30 * DAY_MS, -DAY_MS)),
    /^critical gateway\.tls .* the certificate expired on \d{4}-\d\d-\d\d → renew it/,
  ],
  "a certificate that expires soon": [
    (one) => one.certify("egress", selfSigned(["localhost"], -DAY_MS, 5 * DAY_MS)),
    /^warning gateway\.tls .* expires in [45] days.* → renew it/,
  ],
  "a certificate for another name": [
    (one) => one.certify("smtp", selfSigned(["mail.other.net"], -DAY_MS, 60 * DAY_MS)),
    /^critical smtp\.tls .* for mail\.other\.net, not for mx\.example\.com → get one for mx\.example/,
  ],
  "TLS of another age": [
    (one) =>
      one.certify("egress", selfSigned(["localhost"], -DAY_MS, 60 * DAY_MS), {
        minVersion: "TLSv1",
        maxVersion: "TLSv1.1",
        ciphers: "DEFAULT:@SECLEVEL=0",
      }),
    /^critical gateway\.tls .* supports at most TLSv1\.1 → .*TLS 1\.2/,
  ],
  "a worker's clock ahead": [
    (one) => (one.worker.skewMs = 600_000),
    /^critical worker\.clock .* (?:59|60)\d s ahead of this machine → .*NTP/,
  ],
  "a gateway's clock behind": [
    (one) => (one.gatewaySkewMs = -600_000),
    /^critical gateway\.clock .* (?:59|60)\d s behind this machine → .*NTP/,
  ],
  "a clock a little off": [
    (one) => (one.gatewaySkewMs = 30_000),
    /^warning gateway\.clock .* [23]\d s ahead.* → .*NTP/,
  ],
  "tokens that differ": [
    (one) => (one.gatewayToken = "another"),
    /^critical gateway\.token .* hold different tokens.* → .*wrangler secret put GATEWAY_TOKEN/,
  ],
  "a gateway that the worker can't reach": [
    (one) =>
      (one.worker.gateways = [
        { url: one.egressUrl, state: "unreachable", status: null, date: null },
      ]),
    /^critical gateway\.token The gateway .* does not answer\. → Start the gateway/,
  ],
  "a gateway that the worker does not know": [
    (one) => (one.gatewayHealth = { status: "degraded", reason: "the token is unknown" }),
    /^critical gateway\.health .* is not well: the token is unknown → .*WORKER_URL/,
  ],
  "a worker that is not well": [
    (one) =>
      (one.worker.health = [503, { status: "failing", checks: { database: true, queues: false } }]),
    /^critical worker\.health .* is not well: queues → .*wrangler tail/,
  ],
  "a queue that stands still": [
    (one) => count(one, 'postern_queue_oldest_seconds{queue="postern-deliver"}', 1_800),
    /^critical queues\.moving postern-deliver: the oldest .* 30 min\. → .*queues info/,
  ],
  "a source that does not answer": [
    (one) => count(one, 'postern_source_up{source="counters"}', 0),
    /^critical queues\.source The data source counters does not answer .* → .*wrangler tail/,
  ],
  "recipients without an outcome": [
    (one) => count(one, "postern_stuck_recipients", 7),
    /^critical queues\.stuck Stuck recipients: 7\. .* → .*"stuck"/,
  ],
  "a message that stays where it is": [
    (one) => (one.worker.delivers = false),
    /^critical message .* is queued after \d+\.\d s → .*queues info postern-deliver/,
  ],
  "dead letters": [
    (one) => count(one, 'postern_dead_letters{queue="postern-dns-cleanup"}', 3),
    /^warning queues\.dead_letters postern-dns-cleanup: .* 3\. → GET \/admin\/dead-letters/,
  ],
  "an ADMIN_TOKEN that is not the worker's": [
    (one) => (one.worker.adminToken = () => "another"),
    /^critical worker\.admin .* refuses this ADMIN_TOKEN → .*wrangler secret put ADMIN_TOKEN/,
    { args: ["--service-domain", "post.example.com", "--skip", "gateway"] },
  ],
  "a worker with the example's variables": [
    () => undefined,
    /^critical worker\.settings .* serves post\.example\.com, not mail\..* → .*npm run deploy/,
    { args: ["--service-domain", "mail.example.com", "--skip", "dns", ...SKIP_MESSAGE] },
  ],
  "an address that a block list names": [
    (one) => watchFinds(one, selfCheck("block_list", "critical", "https://list.example/off")),
    /^critical gateway\.block_list The block_list is critical\. → Mend it: https:\/\/list\.example\/off$/,
  ],
  "an EHLO that the gateway warns of": [
    (one) => watchFinds(one, selfCheck("helo", "warning")),
    /^warning gateway\.helo The helo is warning\. → Mend it$/,
  ],
  "an address that the gateway can't know": [
    (one) => watchFinds(one, selfCheck("addresses", "unknown")),
    /^unknown gateway\.addresses The addresses is unknown\. → Mend it$/,
  ],
  "a gateway that tells nothing of itself": [
    (one) => (one.worker.watch = null),
    /^unknown gateway\.watch .* reports nothing about itself.* → null$/,
  ],
  "a gateway that has not looked yet": [
    (one) => (one.worker.watch = { checked_at: null, findings: [] }),
    /^unknown gateway\.watch .* has not checked itself yet\. → null$/,
  ],
  "a mail port that takes no bounces": [
    (one) => (one.mailReply = "530 5.7.0 Authentication required"),
    /^critical smtp\.bounces .* answered 530 5\.7\.0 .* → .*RETURN_PATH=true/,
  ],
  "a mail port that takes no complaints": [
    (one) => (one.rcptReply = "550 5.7.1 Relaying denied"),
    /^warning smtp\.feedback .* no mail to fbl@feedback\.post\..* 550 .* → .*WORKER_URL/,
  ],
  "a record of a sending domain that is missing": [
    (one) => (one.worker.seen["verification"] = { status: "missing", found: [], message: "Gone." }),
    /^critical domain\.verification Gone\. → publish CNAME \w+\.return-path\.\S+ at bounces\./,
  ],
  "a record of a sending domain that leads to nothing": [
    (one) => (one.worker.seen["verification"] = { status: "mismatch", message: "No MX." }),
    /^critical domain\.verification No MX\. → the service's own record is wrong/,
  ],
  "a record of the Email Service that is missing": [
    (one) =>
      (one.worker.seen["verification"] = { type: "MX", purpose: "bounces", status: "missing" }),
    /^critical domain\.bounces .* → npx wrangler email sending dns get example\.com/,
  ],
  "a record of a sending domain that DNS does not tell": [
    (one) => (one.worker.seen["verification"] = { status: "unknown", message: "SERVFAIL." }),
    /^warning domain\.verification SERVFAIL\. → check the name servers of bounces\.example\.com/,
  ],
  "a tracking host that is missing": [
    (one) => {
      for (const domain of one.worker.domains) domain.tracking.status = "pending";
      one.worker.seen["verification"] = { purpose: "tracking", status: "missing", found: [] };
    },
    /^warning domain\.tracking .* → publish CNAME /,
  ],
  "a sending domain without SPF": [
    (one) => (one.worker.seen["policies.spf"] = { status: "missing", message: "No SPF." }),
    /^critical domain\.spf No SPF\. → publish the record at example\.com/,
  ],
  "a sending domain without DMARC": [
    (one) => (one.worker.seen["policies.dmarc"] = { status: "missing", message: "No DMARC." }),
    /^warning domain\.dmarc No DMARC\. → publish the TXT record at example\.com/,
  ],
  "a DMARC policy that receivers can't use": [
    (one) => (one.worker.seen["policies.dmarc"] = { status: "wrong", message: "Two." }),
    /^critical domain\.dmarc Two\. → change the TXT record at example\.com/,
  ],
  "a DMARC policy that DNS does not tell": [
    (one) => (one.worker.seen["policies.dmarc"] = { status: "unknown", message: "SERVFAIL." }),
    /^warning domain\.dmarc SERVFAIL\. → check the name servers of example\.com/,
  ],
  "a domain that is not verified": [
    (one) => one.worker.addDomain("news.example.com"),
    /^warning domain\.status news\.example\.com is not verified.* → .*\/v1\/domains\/\{id\}\/verify/,
  ],
  "a key that the worker refuses": [
    () => undefined,
    /^critical key .* HTTP 401.* → use a team's key with full access/,
    { args: ["--key", "ps_unknown"] },
  ],
};
