// Tests what `npm run doctor` promises: it finds no faults in a healthy deployment, names each
// planted fault with its remedy while no other check fails, and prints no secret.
// doctor-email-service.test.ts tests the courier `cloudflare`, doctor-send.test.ts a real message.
import { createServer } from "node:net";
import { beforeEach, describe, expect, it } from "vitest";
import { listenOnLoopback } from "../../tools/harness/loopback.ts";
import { selfSigned } from "../../tools/harness/smtp/self-signed.ts";
import {
  type Diagnosis,
  expectResult,
  GATEWAY_TOKEN,
  harness,
  useDoctor,
} from "./doctor-harness.ts";
import { expectFault, FAULTS } from "./planted-faults.ts";

const DAY_MS = 86_400_000;

useDoctor();

const named = ({ findings }: Diagnosis, check: string) =>
  findings.filter((finding) => finding.check === check).map(({ status, what }) => [status, what]);

describe("a deployment in good health", () => {
  it("has no faults, in one line for each check", async () => {
    const { code, text } = await harness.examine();
    expect(text).not.toMatch(/^(?:warning|critical)/m);
    expect(code).toBe(0);
    const checks = [...text.matchAll(/^ok +(\S+)/gm)].map(([, check = ""]) => check);
    const all = {
      worker: ["health", "clock", "admin", "variables", "programs"],
      queues: ["source", "source", "moving", "stuck", "dead_letters"],
      mail: ["held", "pending", "oldest", "bounces", "blocked", "complaints"],
      tracking: ["broken", "names"],
      ledgers: ["full"],
      events: ["unwritten", "undelivered", "set_aside"],
      webhooks: ["late"],
      requests: ["faults"],
      gateway: ["token", "health", "clock", "tls", "ptr"],
      dns: ["mx", "spf", "track", "dkim", "feedback", "postmaster"],
      smtp: ["port", "tls", "bounces", "feedback"],
      domain: ["verification", "dkim", "dkim", "spf", "dmarc", "mta_sts", "bimi"],
    };
    const names = Object.entries(all).flatMap(([of, some]) => some.map((one) => `${of}.${one}`));
    expect(checks.toSorted()).toEqual([...names, "key", "message"].toSorted());
    expect(text).toMatch(/^unknown +smtp\.outbound/m);
    for (const secret of ["admin-token", GATEWAY_TOKEN, "ps_"]) expect(text).not.toContain(secret);
  });

  it("may lack MTA-STS and BIMI, and the record of a tracking host that is switched off", async () => {
    const missing = { status: "missing" };
    Object.assign(harness.worker.seen, { "policies.mta_sts": missing, "policies.bimi": missing });
    harness.worker.seen["dkim"] = { purpose: "tracking", status: "missing" };
    const { code, text } = await harness.examine();
    expect([code, text]).toEqual([
      0,
      expect.not.stringMatching(/^(?:warning|critical)|domain.*tracking/m),
    ]);
  });

  it("gets the same report as JSON", async () => {
    const { code, text } = await harness.examine("--json");
    expect(code).toBe(0);
    expect(JSON.parse(text)).toMatchObject({
      ok: true,
      findings: expect.arrayContaining([
        { check: "gateway.token", status: "ok", what: expect.any(String), mend: null },
      ]),
    });
  });

  it("gets no message with --skip message, and the doctor makes no skipped check", async () => {
    const { code, findings } = await harness.examine("--json --skip message --skip smtp.tls");
    expect(code).toBe(0);
    expect(harness.worker.emails).toEqual([]);
    expect(findings.map(({ check }) => check)).not.toContain("smtp.tls");
  });

  it("has a line on whether port 25 is open outwards", async () => {
    const here = await harness.examine(`--json --outbound-mx 127.0.0.1:${harness.smtpPort}`);
    expect(named(here, "smtp.outbound")).toMatchObject([["ok", expect.any(String)]]);
    const server = createServer();
    const port = await listenOnLoopback(server);
    await new Promise((closed) => server.close(closed));
    const closed = await harness.examine(`--json --outbound-mx 127.0.0.1:${port}`);
    expect(named(closed, "smtp.outbound")).toEqual([
      ["critical", `127.0.0.1:${port} is not reached from here: ECONNREFUSED`],
    ]);
  });

  it("gets the advice that other teams' domains need a key of their team", async () => {
    const { findings } = await harness.examine("--json --domain other.org");
    expect(findings).toContainEqual({
      check: "domain",
      status: "unknown",
      what: "other.org was not checked: give a key of its team with --key",
      mend: null,
    });
  });
});

describe("a planted fault is named with its remedy, and nothing else fails:", () => {
  it.each(Object.entries(FAULTS))("%s", (_, fault) => expectFault(harness, fault));

  it("many faults at once, each in its own line", async () => {
    const names = ["a return-path without MX", "tokens that differ", "dead letters"];
    for (const name of names) await FAULTS[name]?.[0](harness);
    const { code, text } = await harness.examine();
    expect([code, text.match(/^(?:warning|critical) +\S+ .* → .+$/gm)]).toEqual([
      1,
      [/^warning +queues\.dead_letters /, /^critical +gateway\.token /, /^critical +dns\.mx /].map(
        (line) => expect.stringMatching(line),
      ),
    ]);
    expect(text).toMatch(/ ok, 1 warning, 2 critical, 1 unknown\n$/);
  });

  it("a certificate of an unknown authority", async () => {
    const trusted = harness.egressTls;
    harness.certify("egress", selfSigned(["localhost"], -DAY_MS, 60 * DAY_MS));
    // The doctor still trusts only the old certificate.
    harness.egressTls = trusted;
    const { findings } = await harness.examine("--json");
    const what: unknown = expect.stringContaining(
      "the certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)",
    );
    expectResult(findings, { check: "gateway.tls", status: "critical", what });
  });

  it("no server at the URL", async () => {
    const { code, text } = await harness.examine("--url http://127.0.0.1:9");
    expect(code).toBe(1);
    expect(text).toMatch(/^critical +worker\.health +http:\/\/127\.0\.0\.1:9 does not answer: /m);
  });
});

describe("several gateways", () => {
  const second = "https://localhost:1";
  const quiet = "--json --skip gateway";

  beforeEach(() => {
    const about = { status: null, date: null };
    harness.worker.gateways = [
      { url: harness.egressUrl, state: "agreed", ...about },
      { url: second, state: "unreachable", ...about },
    ];
  });

  it("are checked one by one", async () => {
    const diagnosis = await harness.examine("--json");
    expect(diagnosis.code).toBe(1);
    expect(named(diagnosis, "gateway.token")).toEqual([
      ["ok", `The gateway ${harness.egressUrl} answers, and its token agrees with the worker's.`],
      ["critical", `The gateway ${second} does not answer.`],
    ]);
    expect(
      named(diagnosis, "gateway.tls").filter(([status]) => status === "critical"),
    ).toHaveLength(1);
  });

  it("are compared with the gateways of the worker's deployment", async () => {
    const both = ["--egress-url", `${second}, ${harness.egressUrl}/`];
    expect((await harness.examine([...quiet.split(" "), ...both])).code).toBe(0);
    const one = `${quiet} --egress-url ${harness.egressUrl}`;
    const { code, findings } = await harness.examine(one);
    expect(code).toBe(1);
    const urls = `${harness.egressUrl}, ${second}, not to ${harness.egressUrl}`;
    const [what, mend] = [
      `the worker hands mail to ${urls}`,
      expect.stringContaining("npm run deploy"),
    ];
    const failed = findings.filter(({ status }) => status === "critical");
    expect(failed).toMatchObject([{ check: "worker.settings", what, mend }]);
  });

  it("each need an MX record", async () => {
    const hosts = `${quiet} --mail-host mx-b.example.com`;
    await harness.dns("mx-b.example.com", "A", "127.0.0.1");
    expect(named(await harness.examine(hosts), "dns.mx")).toEqual([
      ["warning", expect.stringContaining("but not to mx-b.example.com")],
    ]);
    const both = ["10 mx.example.com", "20 mx-b.example.com"];
    await harness.dns("*.return-path.post.example.com", "MX", both);
    const again = await harness.examine(hosts);
    expect(named(again, "dns.mx")).toMatchObject([["ok", expect.any(String)]]);
    expect(named(again, "smtp.port")).toHaveLength(2);
  });
});

describe("the local stack", () => {
  const elsewhere = { PUBLIC_URL: "http://127.0.0.1:9" };

  it("is examined without an argument while it runs, and only its own certificate is trusted", async () => {
    const { code, text } = await harness.examineBy([], { POSTERN_STATE: harness.localState() });
    expect(text).not.toMatch(/^(?:warning|critical)/m);
    expect(text).toMatch(
      /^ok +worker\.health +http:\/\/127\.0\.0\.1:[^]*^ok +smtp\.tls [^]*^ok +message /m,
    );
    expect(code).toBe(0);
  });

  it("gives way to a named deployment, unless --local asks for it", async () => {
    const environment = { POSTERN_STATE: harness.localState(), ...elsewhere };
    expect((await harness.examineBy(["--skip", "smtp"], environment)).text).toMatch(
      /^critical +worker\.health +http:\/\/127\.0\.0\.1:9 /m,
    );
    expect((await harness.examineBy(["--local"], environment)).code).toBe(0);
  });

  it("is suggested if no stack runs", async () => {
    const environment = { POSTERN_STATE: harness.directory };
    expect(await harness.examineBy([], environment)).toMatchObject({
      code: 1,
      text:
        "doctor: no deployment is known: nothing is set up here, and no local stack is running\n  → run " +
        "npm start, or npm run setup, or give --url https://…\n",
    });
  });
});
