// Makes a healthy deployment for the doctor to examine: a fake worker, a gateway's egress over TLS,
// a mail server with STARTTLS, and the local DNS with all records. A test then plants a fault in
// one of them.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import {
  createSecureContext,
  getCACertificates,
  type SecureContextOptions,
  setDefaultCACertificates,
} from "node:tls";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { listenOnLoopback } from "../../tools/harness/loopback.ts";
import { selfSigned } from "../../tools/harness/smtp/self-signed.ts";
import { listenForMail, type SmtpServer } from "../../tools/harness/smtp/smtp-server.ts";
import { runCommand } from "../../tools/setup/run-command.ts";
import type { CheckResult } from "../../tools/setup/doctor/check-result.ts";
import { diagnose } from "../../tools/setup/doctor/diagnose.ts";
import { EVENTS_QUEUE } from "../../tools/setup/event-subscriptions.ts";
import { AccountApiDouble } from "../../tools/dev/account/account-api-double.ts";
import { mailboxesOf } from "../../tools/setup/account/mailbox-rules.ts";
import { FakeDeployment } from "./fake-deployment.ts";
import { type Account, emptyAccount } from "../../tools/dev/account/cloudflare-account.ts";
import { WranglerDouble } from "../../tools/dev/account/wrangler-double.ts";
import { SMALL_ROOT } from "./small-root.ts";
import { startedClock } from "./started-clock.ts";
import { OWN_SUBSCRIPTION, TestZone, ZONE } from "./test-zone.ts";

const DAY_MS = 86_400_000;
const EGRESS_CERTIFICATE = selfSigned(["localhost"], -DAY_MS, 60 * DAY_MS);
const SMTP_CERTIFICATE = selfSigned(["mx.example.com"], -DAY_MS, 60 * DAY_MS);
const ADMIN_TOKEN = "admin-token";
export const GATEWAY_TOKEN = "gateway-token";

export interface Diagnosis {
  readonly code: number;
  readonly text: string;
  readonly findings: readonly CheckResult[];
}

/** The deployment of the test that runs now. */
export let harness: DoctorHarness;

/** Makes a deployment in good health for each test of the calling file. */
export function useDoctor(): void {
  const authorities = getCACertificates();
  let zone: TestZone;
  beforeAll(async () => {
    zone = await TestZone.start();
  });
  beforeEach(async () => {
    harness = await DoctorHarness.start(zone);
  });
  afterEach(() => harness.close());
  afterAll(async () => {
    setDefaultCACertificates(authorities);
    await zone.close();
  });
}

export function expectResult(
  findings: readonly CheckResult[],
  members: Partial<Record<keyof CheckResult, unknown>>,
): void {
  expect(findings).toContainEqual(expect.objectContaining(members));
}

export class DoctorHarness {
  readonly directory = mkdtempSync(join(tmpdir(), "doctor-"));
  readonly worker = new FakeDeployment();
  readonly wrangler = new WranglerDouble(emptyAccount(ZONE));
  readonly accountApi: AccountApiDouble;
  #accountUrl = "";
  /** The answers of the gateway and of the mail server. A test may change them. */
  gatewayToken = GATEWAY_TOKEN;
  gatewaySkewMs = 0;
  gatewayHealth: Record<string, unknown> = { status: "ok", checks: { journal: true } };
  mailReply = "250 2.1.0 Ok";
  rcptReply = "250 2.1.5 Ok";
  egressTls: SecureContextOptions = {};
  smtpTls: SecureContextOptions = {};
  /** Sets the records of a name and type. Null removes them. */
  readonly dns: TestZone["put"];
  readonly #zone: TestZone;
  readonly #egress = createHttps((request, response) => this.#answerEgress(request, response));
  #smtp!: SmtpServer;
  readonly #smtpOptions = {
    name: "mx.example.com",
    extensions: ["SIZE 5242880", "STARTTLS"],
    secureContext: createSecureContext(),
  };
  /** The URL at which the doctor reaches the worker. */
  workerUrl = "";
  #key = "";

  private constructor(zone: TestZone) {
    this.#zone = zone;
    this.dns = zone.put;
    this.accountApi = new AccountApiDouble(this.wrangler, { onboard: zone.onboard });
  }

  static async start(zone: TestZone): Promise<DoctorHarness> {
    const one = new DoctorHarness(zone);
    await zone.replaceAll([]);
    one.worker.adminToken = () => ADMIN_TOKEN;
    one.workerUrl = await one.worker.listen();
    one.#accountUrl = await one.accountApi.listen();
    one.#key = one.worker.addTeam("First team").key;
    one.certify("egress", EGRESS_CERTIFICATE);
    one.certify("smtp", SMTP_CERTIFICATE);
    await one.#listen();
    await one.#publish();
    return one;
  }

  async close(): Promise<void> {
    this.#egress.closeAllConnections();
    this.#egress.close();
    await Promise.all([this.worker.close(), this.accountApi.close(), this.#smtp.close()]);
    rmSync(this.directory, { recursive: true });
  }

  get account(): Account {
    return this.wrangler.account;
  }

  change(change: Partial<Account>): void {
    this.wrangler.change(change);
  }

  get askedWrangler(): boolean {
    return this.wrangler.calls.length > 0;
  }

  /** Makes the Email Service the courier, as set-up does. */
  async useEmailService(): Promise<void> {
    this.worker.outbound = () => "cloudflare";
    const hosts = ["1", "2", "3"].map((which) => `route${which}.mx.cloudflare.net`);
    for (const host of hosts) await this.dns(host, "A", "127.0.0.1");
    const exchanges = hosts.map((host, index) => `${10 * (index + 1)} ${host}`);
    for (const name of ["*.return-path.post", "feedback.post", "reply.post", "post"])
      await this.dns(`${name}.example.com`, "MX", exchanges);
    const policy = "v=spf1 include:_spf.mx.cloudflare.net ~all";
    await this.dns("*.return-path.post.example.com", "TXT", policy);
    const domain = { name: "example.com", zone_id: ZONE.id, enabled: true, tag: "tag-1" };
    this.change({
      fallback_origin: "track.post.example.com",
      worker_routes: [{ id: "all", pattern: "*/*", script: "postern" }],
      databases: { "postern-core": appliedIn("core"), "postern-shard-0": appliedIn("shard") },
      queues: [EVENTS_QUEUE],
      sending: [domain],
      subscriptions: [OWN_SUBSCRIPTION],
      subaddressing: true,
      routing: mailboxesOf("post.example.com", false).map(({ address }) => ({
        id: address,
        enabled: true,
        matchers: [{ type: "literal", value: address }],
        actions: [{ type: "worker", value: ["postern"] }],
      })),
    });
  }

  /** Gives a server a certificate that the doctor trusts. */
  certify(
    whose: "egress" | "smtp",
    certificate: { key: string; cert: string },
    options: SecureContextOptions = {},
  ): void {
    const tls = { ...certificate, ...options };
    if (whose === "egress") {
      this.egressTls = tls;
      this.#egress.setSecureContext(tls);
    } else {
      this.smtpTls = tls;
      this.#smtpOptions.secureContext = createSecureContext(tls);
    }
  }

  get egressUrl(): string {
    return `https://localhost:${(this.#egress.address() as AddressInfo).port}`;
  }

  get smtpPort(): number {
    return this.#smtp.port;
  }

  /** Runs `npm run doctor -- <args>` for this deployment. A text is split at its spaces. */
  async examine(
    args: string | readonly string[] = [],
    environment: Record<string, string> = {},
  ): Promise<Diagnosis> {
    const own = [this.egressTls.cert, this.smtpTls.cert].map(String);
    setDefaultCACertificates(own);
    const state = this.gatewayToken === GATEWAY_TOKEN ? "agreed" : "refused";
    const hasGateway = this.worker.outbound() === "gateway";
    if (hasGateway && this.worker.gateways.length === 0)
      this.worker.gateways = [{ url: this.egressUrl, state, status: 200, date: null }];
    const host = hasGateway ? ["--mail-host", "mx.example.com"] : [];
    const known = ["--url", this.workerUrl, "--admin-token", ADMIN_TOKEN, "--key", this.#key];
    const doubles = `--smtp-port ${this.smtpPort} --resolver ${this.#zone.url}/dns-query --wait 1`;
    const given = typeof args === "string" ? args.split(" ") : args;
    return this.examineBy([...known, ...host, ...doubles.split(" "), ...given], {
      POSTERN_STATE: join(this.directory, "none"),
      CLOUDFLARE_API_BASE_URL: this.#accountUrl,
      DNS_API_URL: `${this.#zone.url}/client/v4`,
      DNS_API_TOKEN: ZONE.token,
      DNS_ZONE_ID: ZONE.id,
      ...environment,
    });
  }

  /** Makes a state directory for this deployment, as `npm start` has it while it runs. */
  localState(): string {
    const ca = join(this.directory, "smtp.pem");
    writeFileSync(ca, String(this.smtpTls.cert));
    const dev = {
      api_url: this.workerUrl,
      api_key: this.#key,
      admin_token: ADMIN_TOKEN,
      smtp: { port: this.smtpPort, ca },
      dns_url: this.#zone.url,
    };
    writeFileSync(join(this.directory, "dev.json"), JSON.stringify(dev));
    return this.directory;
  }

  /** Runs `npm run doctor -- <args>` with only these settings. */
  async examineBy(
    args: readonly string[],
    environment: Record<string, string>,
  ): Promise<Diagnosis> {
    let text = "";
    const write = (chunk: Buffer, _: unknown, done: () => void) => ((text += chunk), done());
    const output = new Writable({ write });
    const code = await runCommand("doctor", diagnose, args, {
      root: SMALL_ROOT,
      environment,
      input: Readable.from([]),
      output,
      errors: output,
      clock: startedClock(),
      runWrangler: this.wrangler.run,
    });
    const isJson = args.includes("--json") && text.startsWith("{");
    const { findings } = (isJson ? JSON.parse(text) : { findings: [] }) as Diagnosis;
    return { code, text, findings };
  }

  async #listen(): Promise<void> {
    await listenOnLoopback(this.#egress);
    this.#smtp = await listenForMail(0, "127.0.0.1", this.#smtpOptions, () => (step) => {
      if (step.verb === "mail") return this.mailReply;
      return step.verb === "rcpt" ? this.rcptReply : step.usual;
    });
  }

  #answerEgress(request: IncomingMessage, response: ServerResponse): void {
    response.setHeader("date", new Date(Date.now() + this.gatewaySkewMs).toUTCString());
    response.setHeader("connection", "close");
    const isHealth = request.url === "/healthz";
    const isRight = request.headers.authorization === `Bearer ${this.gatewayToken}`;
    const type = isHealth ? "application/json" : "application/x-ndjson";
    response
      .writeHead(isHealth || isRight ? 200 : 401, { "content-type": type })
      .end(isHealth ? JSON.stringify(this.gatewayHealth) : "");
  }

  async #publish(): Promise<void> {
    await this.dns("*.return-path.post.example.com", "MX", "10 mx.example.com");
    await this.dns("*.return-path.post.example.com", "TXT", "v=spf1 a:mx.example.com -all");
    await this.dns("feedback.post.example.com", "MX", "10 mx.example.com");
    await this.dns("post.example.com", "MX", "10 mx.example.com");
    await this.dns("*.track.post.example.com", "A", "127.0.0.1");
    await this.dns("mx.example.com", "A", "127.0.0.1");
    this.worker.addDomain("example.com", "verified");
  }
}

function appliedIn(folder: string): string[] {
  return readdirSync(join("migrations", folder)).filter((file) => file.endsWith(".sql"));
}
