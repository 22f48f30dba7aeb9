// What `npm run doctor` guarantees, run as a program: a deployment in good health has nothing to
// mend, each fault that is planted alone is named with its mending and nothing else fails, and
// nothing that it prints is a secret.
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { selfSigned } from "../../dev/inbox/self-signed.ts";
import { DoctorStand, GATEWAY_TOKEN, LOOPBACK } from "./doctor-stand.ts";

const DAY_MS = 86_400_000;

let stand: DoctorStand;

beforeEach(async () => {
  stand = await DoctorStand.start();
});

afterEach(async () => {
  await stand.close();
});

describe("a deployment in good health", () => {
  it("has nothing to mend, in one line a check", async () => {
    const { code, text } = await stand.examine();
    expect(text).not.toMatch(/^(?:warn|FAIL)/m);
    expect(code).toBe(0);
    const checks = [...text.matchAll(/^ok {4}(\S+)/gm)].map(([, check]) => check);
    const all = [
      "worker.health",
      "worker.clock",
      "worker.admin",
      "queues.moving",
      "gateway.token",
      "gateway.health",
      "gateway.clock",
      "gateway.tls",
      "dns.mx",
      "dns.spf",
      "dns.track",
      "dns.dkim",
    ];
    expect(checks).toEqual(
      expect.arrayContaining([
        ...all,
        "smtp.port",
        "smtp.tls",
        "smtp.bounces",
        "smtp.ptr",
        "domain.spf",
        "domain.dkim",
        "domain.dmarc",
        "key",
        "message",
      ]),
    );
    expect(text).toMatch(/^skip +smtp\.outbound/m);
    for (const secret of ["admin-token", GATEWAY_TOKEN, "ps_"]) expect(text).not.toContain(secret);
  });

  it("says the same as JSON", async () => {
    const { code, text } = await stand.examine(["--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(text)).toMatchObject({
      ok: true,
      findings: expect.arrayContaining([
        { check: "gateway.token", status: "ok", what: expect.any(String), mend: null },
      ]),
    });
  });

  it("sends no message where it is told not to", async () => {
    const { code, findings } = await stand.examine([
      "--json",
      "--skip",
      "message",
      "--skip",
      "smtp.tls",
    ]);
    expect(code).toBe(0);
    expect(stand.worker.emails).toEqual([]);
    expect(findings.map(({ check }) => check)).not.toContain("smtp.tls");
  });

  it("is told where port 25 is open outwards", async () => {
    const { findings } = await stand.examine([
      "--json",
      "--outbound-mx",
      `127.0.0.1:${stand.smtpPort}`,
    ]);
    expect(findings).toContainEqual(
      expect.objectContaining({ check: "smtp.outbound", status: "ok" }),
    );
  });
});

interface Fault {
  readonly plant: () => unknown;
  readonly check: string;
  readonly what: RegExp;
  readonly mend: RegExp;
  readonly status?: "warn";
  readonly args?: readonly string[];
  /** Checks that cannot but fail along with it. */
  readonly also?: readonly string[];
}

const FAULTS: Record<string, Fault> = {
  "a return-path without MX": {
    plant: () => stand.dns("*.return-path.post.example.com", "MX", null),
    check: "dns.mx",
    what: /has no MX record/,
    mend: /publish MX 10 mx\.example\.com; npm run setup/,
  },
  "a return-path that leads elsewhere": {
    plant: () => stand.dns("*.return-path.post.example.com", "MX", "10 mail.other.net"),
    check: "dns.mx",
    what: /leads bounces to mail\.other\.net, not to mx\.example\.com/,
    mend: /--dns-conflict=replace/,
  },
  "a feedback address without MX": {
    plant: () => stand.dns("feedback.post.example.com", "MX", null),
    check: "dns.feedback",
    what: /no mail comes to fbl@feedback\.post\.example\.com/,
    mend: /publish MX 10 mx\.example\.com; npm run setup/,
    status: "warn",
  },
  "a feedback address that leads elsewhere": {
    plant: () => stand.dns("feedback.post.example.com", "MX", "10 mail.other.net"),
    check: "dns.feedback",
    what: /is reached by mail\.other\.net, and not by mx\.example\.com: complaints/,
    mend: /register another address/,
    status: "warn",
  },
  "a postmaster without MX": {
    plant: () => stand.dns("post.example.com", "MX", null),
    check: "dns.postmaster",
    what: /no mail comes to postmaster@post\.example\.com/,
    mend: /publish MX 10 mx\.example\.com; npm run setup/,
    status: "warn",
  },
  "a return-path without SPF": {
    plant: () => stand.dns("*.return-path.post.example.com", "TXT", null),
    check: "dns.spf",
    what: /has no SPF record/,
    mend: /v=spf1 a:mx\.example\.com -all/,
    also: ["domain.spf"],
  },
  "two SPF records": {
    plant: () =>
      stand.dns("*.return-path.post.example.com", "TXT", [
        "v=spf1 a:mx.example.com -all",
        "v=spf1 -all",
      ]),
    check: "dns.spf",
    what: /has 2 SPF records/,
    mend: /leave one/,
    also: ["domain.spf"],
  },
  "an SPF record without our address": {
    plant: () => stand.dns("*.return-path.post.example.com", "TXT", "v=spf1 ip4:192.0.2.1 -all"),
    check: "dns.spf",
    what: /does not let 127\.0\.0\.1 \(fail\) send/,
    mend: /name every address/,
    also: ["domain.spf"],
  },
  "no wildcard for tracking": {
    plant: () => stand.dns("*.track.post.example.com", "A", null),
    check: "dns.track",
    what: /leads nowhere/,
    mend: /publish a CNAME/,
  },
  "a certificate that expired": {
    plant: () => stand.certify("egress", selfSigned(["localhost"], -30 * DAY_MS, -DAY_MS)),
    check: "gateway.tls",
    what: /the certificate expired on \d{4}-\d\d-\d\d/,
    mend: /renew it/,
  },
  "a certificate that expires soon": {
    plant: () => stand.certify("egress", selfSigned(["localhost"], -DAY_MS, 5 * DAY_MS)),
    check: "gateway.tls",
    what: /expires in [45] days/,
    mend: /renew it/,
    status: "warn",
  },
  "a certificate for another name": {
    plant: () => stand.certify("smtp", selfSigned(["mail.other.net"], -DAY_MS, 60 * DAY_MS)),
    check: "smtp.tls",
    what: /is for mail\.other\.net, not for mx\.example\.com/,
    mend: /get one for mx\.example\.com/,
  },
  "TLS of another age": {
    plant: () =>
      stand.certify("egress", selfSigned(["localhost"], -DAY_MS, 60 * DAY_MS), {
        minVersion: "TLSv1",
        maxVersion: "TLSv1.1",
        ciphers: "DEFAULT:@SECLEVEL=0",
      }),
    check: "gateway.tls",
    what: /speaks TLSv1\.1 at best/,
    mend: /TLS 1\.2/,
  },
  "a worker's clock ahead": {
    plant: () => (stand.worker.skewMs = 600_000),
    check: "worker.clock",
    what: /(?:599|600) s ahead of this machine/,
    mend: /NTP/,
  },
  "a gateway's clock behind": {
    plant: () => (stand.gatewaySkewMs = -600_000),
    check: "gateway.clock",
    what: /(?:599|600) s behind this machine/,
    mend: /NTP/,
  },
  "a clock a little off": {
    plant: () => (stand.gatewaySkewMs = 30_000),
    check: "gateway.clock",
    what: /(?:29|30) s ahead/,
    mend: /NTP/,
    status: "warn",
  },
  "tokens that differ": {
    plant: () => (stand.gatewayToken = "another"),
    check: "gateway.token",
    what: /hold different tokens/,
    mend: /wrangler secret put GATEWAY_TOKEN/,
  },
  "a gateway that the worker can't reach": {
    plant: () =>
      (stand.worker.gateways = [
        { url: stand.egressUrl, state: "unreachable", status: null, date: null },
      ]),
    check: "gateway.token",
    what: /the worker can't reach the gateway/,
    mend: /start the gateway/,
  },
  "a gateway that the worker does not know": {
    plant: () =>
      (stand.gatewayHealth = {
        status: "degraded",
        reason: "the worker does not know this gateway's token",
        checks: { worker: false },
      }),
    check: "gateway.health",
    what: /is not well: the worker does not know this gateway's token/,
    mend: /WORKER_URL/,
  },
  "a worker that is not well": {
    plant: () =>
      (stand.worker.health = [
        503,
        { status: "failing", checks: { database: true, queues: false } },
      ]),
    check: "worker.health",
    what: /is not well: queues/,
    mend: /wrangler tail/,
  },
  "a queue that stands still": {
    plant: () =>
      (stand.worker.metrics =
        'postern_queue_oldest_seconds{queue="postern-deliver"} 1800\npostern_stuck_recipients 0\n'),
    check: "queues.moving",
    what: /postern-deliver: the oldest job waits for 1800 s/,
    mend: /queues info/,
  },
  "recipients without an outcome": {
    plant: () => (stand.worker.metrics = "postern_stuck_recipients 7\n"),
    check: "queues.stuck",
    what: /7 recipients/,
    mend: /Stuck/,
  },
  "a message that stays where it is": {
    plant: () => (stand.worker.delivers = false),
    check: "message",
    what: /is queued after 2\.\d s/,
    mend: /queues info postern-deliver/,
  },
  "dead letters": {
    plant: () => (stand.worker.metrics = 'postern_dead_letters{queue="postern-dns-cleanup"} 3\n'),
    check: "queues.dead_letters",
    what: /postern-dns-cleanup: 3/,
    mend: /GET \/admin\/dead-letters/,
    status: "warn",
  },
  "an ADMIN_TOKEN that is not the worker's": {
    plant: () => (stand.worker.adminToken = () => "another"),
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
    plant: () => stand.dns(LOOPBACK, "PTR", null),
    check: "smtp.ptr",
    what: /127\.0\.0\.1 has no reverse DNS/,
    mend: /GATEWAY_HOSTNAME/,
  },
  "a name that does not lead back": {
    plant: () => stand.dns(LOOPBACK, "PTR", "host-1.provider.net"),
    check: "smtp.ptr",
    what: /is called host-1\.provider\.net, which does not lead back/,
    mend: /reverse DNS/,
  },
  "a mail port that takes no bounces": {
    plant: () => (stand.mailReply = "530 5.7.0 Authentication required"),
    check: "smtp.bounces",
    what: /answered 530 5\.7\.0/,
    mend: /RETURN_PATH=true/,
  },
  "no DMARC": {
    plant: () => stand.dns("_dmarc.example.com", "TXT", null),
    check: "domain.dmarc",
    what: /has no DMARC record/,
    mend: /_dmarc\.example\.com/,
    status: "warn",
  },
  "strict SPF alignment": {
    plant: () => stand.dns("_dmarc.example.com", "TXT", "v=DMARC1; p=reject; aspf=s"),
    check: "domain.alignment",
    what: /SPF never aligns/,
    mend: /leave aspf out/,
    status: "warn",
  },
  "a DKIM key that is gone": {
    plant: () => stand.dns(stand.worker.domains[0]?.dns_records[1]?.value ?? "", "TXT", null),
    check: "domain.dkim",
    what: /has 0 DKIM keys/,
    mend: /DNS_API_TOKEN/,
  },
  "a return-path alias that is gone": {
    plant: () => stand.dns("bounces.example.com", "CNAME", null),
    check: "domain.spf",
    what: /bounces\.example\.com has no CNAME/,
    mend: /purpose verification/,
  },
};

describe("many faults at once", () => {
  const planted = [
    "a return-path that leads elsewhere",
    "an SPF record without our address",
    "no wildcard for tracking",
    "a certificate that expires soon",
    "a certificate for another name",
    "a worker's clock ahead",
    "a gateway's clock behind",
    "tokens that differ",
    "a worker that is not well",
    "a queue that stands still",
    "a message that stays where it is",
    "an address without a name",
    "a mail port that takes no bounces",
    "no DMARC",
    "a DKIM key that is gone",
  ];

  it("are named each in a line of its own, with its mending", async () => {
    const faults = Object.entries(FAULTS).filter(([name]) => planted.includes(name));
    expect(faults).toHaveLength(planted.length);
    for (const [, { plant }] of faults) await plant();
    const { code, text } = await stand.examine();
    expect(code).toBe(1);
    const lines = text.split("\n");
    for (const [name, { check, what, mend, status = "FAIL" }] of faults) {
      const found = lines.filter(
        (line) => line.startsWith(status) && line.split(/ +/)[1] === check,
      );
      expect([name, found]).toEqual([name, [expect.stringMatching(what)]]);
      expect(found[0]?.split(" → ")[1]).toMatch(mend);
    }
    expect(lines.filter((line) => /^(?:warn|FAIL)/.test(line) && !line.includes(" → "))).toEqual(
      [],
    );
  });
});

describe("a planted fault is named, with its mending, and nothing else fails", () => {
  it.each(Object.entries(FAULTS))(
    "%s",
    async (_, { plant, check, what, mend, status = "FAIL", args = [], also = [] }) => {
      await plant();
      const { code, text, findings } = await stand.examine(["--json", ...args]);
      const found = findings.filter(
        (finding) => finding.check === check && finding.status === status,
      );
      expect(found, text).toHaveLength(1);
      expect(found[0]?.what).toMatch(what);
      expect(found[0]?.mend).toMatch(mend);
      const failed = findings
        .filter((finding) => finding.status === "FAIL")
        .map((finding) => finding.check);
      expect(failed.filter((one) => !also.includes(one))).toEqual(status === "FAIL" ? [check] : []);
      expect(code).toBe(failed.length > 0 ? 1 : 0);
    },
  );

  it("port 25 closed outwards", async () => {
    const server = createServer();
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const { port } = server.address() as AddressInfo;
    await new Promise((closed) => server.close(closed));
    const { code, text } = await stand.examine(["--outbound-mx", `127.0.0.1:${port}`]);
    expect(code).toBe(1);
    expect(text).toMatch(
      new RegExp(
        `^FAIL +smtp\\.outbound +127\\.0\\.0\\.1:${port} is not reached from here: ECONNREFUSED → many providers close port 25`,
        "m",
      ),
    );
  });

  it("a certificate that nobody vouches for", async () => {
    const stranger = selfSigned(["localhost"], -DAY_MS, 60 * DAY_MS);
    const trusted = stand.egressTls;
    stand.certify("egress", stranger);
    // What is trusted stays what it was.
    stand.egressTls = trusted;
    const { findings } = await stand.examine(["--json"]);
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: "gateway.tls",
        status: "FAIL",
        what: expect.stringContaining(
          "nobody here trusts the certificate (DEPTH_ZERO_SELF_SIGNED_CERT)",
        ),
      }),
    );
  });

  it("nobody at the URL", async () => {
    const { code, text } = await stand.examine(["--url", "http://127.0.0.1:9"]);
    expect(code).toBe(1);
    expect(text).toMatch(/^FAIL +worker\.health +http:\/\/127\.0\.0\.1:9 does not answer: /m);
  });
});
