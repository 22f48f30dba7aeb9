// The faults that doctor.test.ts plants one at a time, each with the finding that must name it and
// its remedy.
import { selfSigned } from "../../tools/harness/smtp/self-signed.ts";
import { type DoctorHarness, LOOPBACK } from "./doctor-harness.ts";

const DAY_MS = 86_400_000;

export interface PlantedFault {
  readonly plant: (harness: DoctorHarness) => unknown;
  readonly check: string;
  readonly what: RegExp;
  readonly mend: RegExp;
  readonly status?: "warn";
  readonly args?: readonly string[];
  /** Checks that necessarily fail along with it. */
  readonly also?: readonly string[];
}

export const FAULTS: Record<string, PlantedFault> = {
  "a return-path without MX": {
    plant: (harness) => harness.dns("*.return-path.post.example.com", "MX", null),
    check: "dns.mx",
    what: /has no MX record/,
    mend: /publish MX 10 mx\.example\.com; npm run setup/,
  },
  "a return-path that leads elsewhere": {
    plant: (harness) => harness.dns("*.return-path.post.example.com", "MX", "10 mail.other.net"),
    check: "dns.mx",
    what: /leads bounces to mail\.other\.net, not to mx\.example\.com/,
    mend: /--dns-conflict=replace/,
  },
  "a feedback address without MX": {
    plant: (harness) => harness.dns("feedback.post.example.com", "MX", null),
    check: "dns.feedback",
    what: /no mail reaches fbl@feedback\.post\.example\.com/,
    mend: /publish MX 10 mx\.example\.com; npm run setup/,
    status: "warn",
  },
  "a feedback address that leads elsewhere": {
    plant: (harness) => harness.dns("feedback.post.example.com", "MX", "10 mail.other.net"),
    check: "dns.feedback",
    what: /is reached by mail\.other\.net, and not by mx\.example\.com: complaints/,
    mend: /register another address/,
    status: "warn",
  },
  "a postmaster without MX": {
    plant: (harness) => harness.dns("post.example.com", "MX", null),
    check: "dns.postmaster",
    what: /no mail reaches postmaster@post\.example\.com/,
    mend: /publish MX 10 mx\.example\.com; npm run setup/,
    status: "warn",
  },
  "a return-path without SPF": {
    plant: (harness) => harness.dns("*.return-path.post.example.com", "TXT", null),
    check: "dns.spf",
    what: /has no SPF record/,
    mend: /v=spf1 a:mx\.example\.com -all/,
    also: ["domain.spf"],
  },
  "two SPF records": {
    plant: (harness) =>
      harness.dns("*.return-path.post.example.com", "TXT", [
        "v=spf1 a:mx.example.com -all",
        "v=spf1 -all",
      ]),
    check: "dns.spf",
    what: /has 2 SPF records/,
    mend: /leave one/,
    also: ["domain.spf"],
  },
  "an SPF record without our address": {
    plant: (harness) =>
      harness.dns("*.return-path.post.example.com", "TXT", "v=spf1 ip4:192.0.2.1 -all"),
    check: "dns.spf",
    what: /does not let 127\.0\.0\.1 \(fail\) send/,
    mend: /name every address/,
    also: ["domain.spf"],
  },
  "no wildcard for tracking": {
    plant: (harness) => harness.dns("*.track.post.example.com", "A", null),
    check: "dns.track",
    what: /leads nowhere/,
    mend: /publish a CNAME/,
  },
  "a certificate that expired": {
    plant: (harness) => harness.certify("egress", selfSigned(["localhost"], -30 * DAY_MS, -DAY_MS)),
    check: "gateway.tls",
    what: /the certificate expired on \d{4}-\d\d-\d\d/,
    mend: /renew it/,
  },
  "a certificate that expires soon": {
    plant: (harness) => harness.certify("egress", selfSigned(["localhost"], -DAY_MS, 5 * DAY_MS)),
    check: "gateway.tls",
    what: /expires in [45] days/,
    mend: /renew it/,
    status: "warn",
  },
  "a certificate for another name": {
    plant: (harness) =>
      harness.certify("smtp", selfSigned(["mail.other.net"], -DAY_MS, 60 * DAY_MS)),
    check: "smtp.tls",
    what: /is for mail\.other\.net, not for mx\.example\.com/,
    mend: /get one for mx\.example\.com/,
  },
  "TLS of another age": {
    plant: (harness) =>
      harness.certify("egress", selfSigned(["localhost"], -DAY_MS, 60 * DAY_MS), {
        minVersion: "TLSv1",
        maxVersion: "TLSv1.1",
        ciphers: "DEFAULT:@SECLEVEL=0",
      }),
    check: "gateway.tls",
    what: /speaks TLSv1\.1 at best/,
    mend: /TLS 1\.2/,
  },
  "a worker's clock ahead": {
    plant: (harness) => (harness.worker.skewMs = 600_000),
    check: "worker.clock",
    what: /(?:59|60)\d s ahead of this machine/,
    mend: /NTP/,
  },
  "a gateway's clock behind": {
    plant: (harness) => (harness.gatewaySkewMs = -600_000),
    check: "gateway.clock",
    what: /(?:59|60)\d s behind this machine/,
    mend: /NTP/,
  },
  "a clock a little off": {
    plant: (harness) => (harness.gatewaySkewMs = 30_000),
    check: "gateway.clock",
    what: /[23]\d s ahead/,
    mend: /NTP/,
    status: "warn",
  },
  "tokens that differ": {
    plant: (harness) => (harness.gatewayToken = "another"),
    check: "gateway.token",
    what: /hold different tokens/,
    mend: /wrangler secret put GATEWAY_TOKEN/,
  },
  "a gateway that the worker can't reach": {
    plant: (harness) =>
      (harness.worker.gateways = [
        { url: harness.egressUrl, state: "unreachable", status: null, date: null },
      ]),
    check: "gateway.token",
    what: /the worker can't reach the gateway/,
    mend: /start the gateway/,
  },
  "a gateway that the worker does not know": {
    plant: (harness) =>
      (harness.gatewayHealth = {
        status: "degraded",
        reason: "the worker does not know this gateway's token",
        checks: { worker: false },
      }),
    check: "gateway.health",
    what: /is not well: the worker does not know this gateway's token/,
    mend: /WORKER_URL/,
  },
  "a worker that is not well": {
    plant: (harness) =>
      (harness.worker.health = [
        503,
        { status: "failing", checks: { database: true, queues: false } },
      ]),
    check: "worker.health",
    what: /is not well: queues/,
    mend: /wrangler tail/,
  },
  "a queue that stands still": {
    plant: (harness) =>
      (harness.worker.metrics =
        'postern_queue_oldest_seconds{queue="postern-deliver"} 1800\npostern_stuck_recipients 0\n'),
    check: "queues.moving",
    what: /postern-deliver: the oldest job has waited for 1800 s/,
    mend: /queues info/,
  },
  "recipients without an outcome": {
    plant: (harness) => (harness.worker.metrics = "postern_stuck_recipients 7\n"),
    check: "queues.stuck",
    what: /7 recipients/,
    mend: /Stuck/,
  },
  "a message that stays where it is": {
    plant: (harness) => (harness.worker.delivers = false),
    check: "message",
    what: /is queued after 2\.\d s/,
    mend: /queues info postern-deliver/,
  },
  "dead letters": {
    plant: (harness) =>
      (harness.worker.metrics = 'postern_dead_letters{queue="postern-dns-cleanup"} 3\n'),
    check: "queues.dead_letters",
    what: /postern-dns-cleanup: 3/,
    mend: /GET \/admin\/dead-letters/,
    status: "warn",
  },
  "an ADMIN_TOKEN that is not the worker's": {
    plant: (harness) => (harness.worker.adminToken = () => "another"),
    check: "worker.admin",
    what: /refuses this ADMIN_TOKEN/,
    mend: /wrangler secret put ADMIN_TOKEN/,
    args: ["--service-domain", "post.example.com", "--skip", "gateway"],
  },
  "a worker with the example's variables": {
    plant: () => undefined,
    check: "worker.settings",
    what: /serves post\.example\.com, not mail\.example\.com/,
    mend: /npm run deploy/,
    args: [
      "--service-domain",
      "mail.example.com",
      "--skip",
      "dns",
      "--skip",
      "domain",
      "--skip",
      "message",
    ],
  },
  "an address without a name": {
    plant: (harness) => harness.dns(LOOPBACK, "PTR", null),
    check: "smtp.ptr",
    what: /127\.0\.0\.1 has no reverse DNS/,
    mend: /GATEWAY_HOSTNAME/,
  },
  "a name that does not lead back": {
    plant: (harness) => harness.dns(LOOPBACK, "PTR", "host-1.provider.net"),
    check: "smtp.ptr",
    what: /is called host-1\.provider\.net, which does not lead back/,
    mend: /reverse DNS/,
  },
  "a mail port that takes no bounces": {
    plant: (harness) => (harness.mailReply = "530 5.7.0 Authentication required"),
    check: "smtp.bounces",
    what: /answered 530 5\.7\.0/,
    mend: /RETURN_PATH=true/,
  },
  "no DMARC": {
    plant: (harness) => harness.dns("_dmarc.example.com", "TXT", null),
    check: "domain.dmarc",
    what: /has no DMARC record/,
    mend: /_dmarc\.example\.com/,
    status: "warn",
  },
  "strict SPF alignment": {
    plant: (harness) => harness.dns("_dmarc.example.com", "TXT", "v=DMARC1; p=reject; aspf=s"),
    check: "domain.dmarc",
    what: /With aspf=s, SPF never counts, because mail of example\.com returns to bounces\./,
    mend: /change the TXT record at _dmarc\.example\.com/,
    status: "warn",
  },
  "a DMARC policy in test mode": {
    plant: (harness) => harness.dns("_dmarc.example.com", "TXT", "v=DMARC1; p=reject; t=y"),
    check: "domain.dmarc",
    what: /By RFC 9989, .* to quarantine .* By RFC 7489, .* to refuse /,
    mend: /_dmarc\.example\.com/,
    status: "warn",
  },
  "a DKIM key that is gone": {
    plant: (harness) =>
      harness.dns(harness.worker.domains[0]?.dns_records[1]?.value ?? "", "TXT", null),
    check: "domain.dkim",
    what: /has 0 DKIM keys/,
    mend: /DNS_API_TOKEN/,
  },
  "a return-path alias that is gone": {
    plant: (harness) => harness.dns("bounces.example.com", "CNAME", null),
    check: "domain.spf",
    what: /bounces\.example\.com has no CNAME/,
    mend: /purpose verification/,
  },
};
