// Makes a healthy deployment for the doctor to examine: a fake worker, a gateway's egress over TLS,
// a mail server with STARTTLS, and the local DNS with all records. A test then plants a fault in
// one of them.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttps, type Server as HttpsServer } from "node:https";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import {
  rootCertificates,
  type SecureContextOptions,
  setDefaultCACertificates,
  TLSSocket,
} from "node:tls";
import { listenOnLoopback } from "../../tools/harness/loopback.ts";
import { type DnsServer, startDns } from "../../tools/dev/dns/dns-server.ts";
import { selfSigned } from "../../tools/harness/smtp/self-signed.ts";
import { runCommand } from "../../tools/setup/run-command.ts";
import { diagnose } from "../../tools/setup/doctor/diagnose.ts";
import { EVENT_TYPES, EVENTS_QUEUE } from "../../tools/setup/event-subscriptions.ts";
import { FakeAccountApi, queueIdOf } from "./fake-account-api.ts";
import { FakeDeployment } from "./fake-deployment.ts";
import { type Account, callWrangler, emptyAccount } from "./fake-wrangler.ts";

const ZONE = { id: "0123456789abcdef0123456789abcdef", name: "example.com", token: "dns-token" };
const DAYS_MS = 86_400_000;
const ADMIN_TOKEN = "admin-token";
export const GATEWAY_TOKEN = "gateway-token";

interface Finding {
  readonly check: string;
  readonly status: "ok" | "warn" | "FAIL" | "skip";
  readonly what: string;
  readonly mend: string | null;
}

export interface Diagnosis {
  readonly code: number;
  readonly text: string;
  readonly findings: readonly Finding[];
}

export class DoctorHarness {
  readonly directory = mkdtempSync(join(tmpdir(), "doctor-"));
  readonly worker = new FakeDeployment();
  readonly accountApi = new FakeAccountApi({
    read: () => this.account,
    write: (account) => (this.account = account),
    publish: (name, type, data) => this.dns(name, type, data),
    killSetup: () => undefined,
  });
  #accountUrl = "";
  /** The answers of the gateway and of the mail server. A test may change them. */
  gatewayToken = GATEWAY_TOKEN;
  gatewaySkewMs = 0;
  gatewayHealth: Record<string, unknown> = { status: "ok", checks: { journal: true } };
  mailReply = "250 2.1.0 Ok";
  rcptReply = "250 2.1.5 Ok";
  egressTls: SecureContextOptions = {};
  smtpTls: SecureContextOptions = {};
  #dns!: DnsServer;
  #egress: HttpsServer | undefined;
  #smtp!: Server;
  #workerUrl = "";
  #key = "";

  static async start(): Promise<DoctorHarness> {
    const harness = new DoctorHarness();
    harness.#dns = await startDns(0, join(harness.directory, "dns"), ZONE);
    harness.worker.adminToken = () => ADMIN_TOKEN;
    harness.#workerUrl = await harness.worker.listen();
    harness.#accountUrl = await harness.accountApi.listen();
    harness.account = emptyAccount(ZONE);
    harness.#key = harness.worker.addTeam("First team").key;
    harness.certify("egress", selfSigned(["localhost"], -DAYS_MS, 60 * DAYS_MS));
    harness.certify("smtp", selfSigned(["mx.example.com"], -DAYS_MS, 60 * DAYS_MS));
    await harness.#listen();
    await harness.#publish();
    return harness;
  }

  async close(): Promise<void> {
    this.#egress?.closeAllConnections();
    await Promise.all([
      this.#dns.close(),
      this.worker.close(),
      this.accountApi.close(),
      this.#egress && closeServer(this.#egress),
      closeServer(this.#smtp),
    ]);
    rmSync(this.directory, { recursive: true });
  }

  get account(): Account {
    return JSON.parse(readFileSync(this.#accountPath, "utf8")) as Account;
  }

  set account(account: Account) {
    writeFileSync(this.#accountPath, JSON.stringify(account));
  }

  change(change: Partial<Account>): void {
    this.account = { ...this.account, ...change };
  }

  get #accountPath(): string {
    return join(this.directory, "account.json");
  }

  /** Tells whether any run called wrangler. */
  get askedWrangler(): boolean {
    return existsSync(`${this.#accountPath}.calls`);
  }

  /** Makes the Email Service the courier, as set-up does. */
  async useEmailService(): Promise<void> {
    this.worker.outbound = () => "cloudflare";
    const hosts = ["1", "2", "3"].map((which) => `route${which}.mx.cloudflare.net`);
    for (const host of hosts) await this.dns(host, "A", "127.0.0.1");
    const exchanges = hosts.map((host, index) => `${10 * (index + 1)} ${host}`);
    for (const name of ["*.return-path.post", "feedback.post", "post"])
      await this.dns(`${name}.example.com`, "MX", exchanges);
    const policy = "v=spf1 include:_spf.mx.cloudflare.net ~all";
    await this.dns("*.return-path.post.example.com", "TXT", policy);
    const domain = { name: "example.com", zone_id: ZONE.id, enabled: true, tag: "tag-1" };
    const source = { type: "email.sending", zone_id: ZONE.id, domain: "example.com" };
    const subscription = {
      id: "11111111-1111-4111-8111-111111111111",
      name: "postern example.com",
      enabled: true,
      events: [...EVENT_TYPES],
      source,
      destination: { type: "queues.queue", queue_id: queueIdOf(EVENTS_QUEUE) },
    };
    this.change({ queues: [EVENTS_QUEUE], sending: [domain], subscriptions: [subscription] });
  }

  /** Gives a server a certificate that the doctor trusts. */
  certify(
    whose: "egress" | "smtp",
    certificate: { key: string; cert: string },
    options: SecureContextOptions = {},
  ): void {
    if (whose === "smtp") this.smtpTls = { ...certificate, ...options };
    else this.egressTls = { ...certificate, ...options };
    if (whose === "egress" && this.#egress) this.#egress.setSecureContext(this.egressTls);
  }

  /** Sets the record of a name and type. Null removes it. */
  async dns(name: string, type: string, data: unknown): Promise<void> {
    const method = data === null ? "DELETE" : "PUT";
    const response = await fetch(`http://127.0.0.1:${this.#dns.port}/records`, {
      method,
      body: JSON.stringify({ name, type, data }),
    });
    if (!response.ok) throw new Error(await response.text());
  }

  get egressUrl(): string {
    return `https://localhost:${portOf(this.#egress)}`;
  }

  get smtpPort(): number {
    return portOf(this.#smtp);
  }

  /** Runs `npm run doctor -- <args>` for this deployment. */
  async examine(
    args: readonly string[] = [],
    environment: Record<string, string> = {},
  ): Promise<Diagnosis> {
    const own = [this.egressTls.cert, this.smtpTls.cert].map(String);
    setDefaultCACertificates([...rootCertificates, ...own]);
    const state = this.gatewayToken === GATEWAY_TOKEN ? "agreed" : "refused";
    const hasGateway = this.worker.outbound() === "gateway";
    if (hasGateway && this.worker.gateways.length === 0)
      this.worker.gateways = [{ url: this.egressUrl, state, status: 200, date: null }];
    const known = [
      "--url",
      this.#workerUrl,
      "--admin-token",
      ADMIN_TOKEN,
      "--key",
      this.#key,
      ...(hasGateway ? ["--mail-host", "mx.example.com"] : []),
    ];
    const doubles = [
      "--smtp-port",
      String(this.smtpPort),
      "--resolver",
      `http://127.0.0.1:${this.#dns.port}/dns-query`,
      "--wait",
      "1",
    ];
    return this.examineBy([...known, ...doubles, ...args], {
      POSTERN_STATE: join(this.directory, "none"),
      CLOUDFLARE_API_BASE_URL: this.#accountUrl,
      ...environment,
    });
  }

  /** Makes a state directory for this deployment, as `npm start` has it while it runs. */
  localState(): string {
    const ca = join(this.directory, "smtp.pem");
    writeFileSync(ca, String(this.smtpTls.cert));
    const dev = {
      api_url: this.#workerUrl,
      api_key: this.#key,
      admin_token: ADMIN_TOKEN,
      smtp: { port: this.smtpPort, ca },
      dns_url: `http://127.0.0.1:${this.#dns.port}`,
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
    const output = new Writable({
      write: (chunk: Buffer, _, done) => ((text += chunk.toString()), done()),
    });
    const code = await runCommand("doctor", diagnose, args, {
      environment,
      input: Readable.from([]),
      output,
      errors: output,
      runWrangler: (argv) => {
        const ran = callWrangler(this.#accountPath, argv, "");
        return ran === "killed" ? Promise.reject(new Error(ran)) : Promise.resolve(ran);
      },
    });
    const findings =
      args.includes("--json") && text.startsWith("{")
        ? (JSON.parse(text) as { findings: Finding[] }).findings
        : [];
    return { code, text, findings };
  }

  async #listen(): Promise<void> {
    this.#egress = createHttps(this.egressTls, (request, response) => {
      response.setHeader("date", new Date(Date.now() + this.gatewaySkewMs).toUTCString());
      response.setHeader("connection", "close");
      if (request.url === "/healthz")
        return void response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify(this.gatewayHealth));
      const isRight = request.headers.authorization === `Bearer ${this.gatewayToken}`;
      response.writeHead(isRight ? 200 : 401, { "content-type": "application/x-ndjson" }).end();
    });
    this.#smtp = createServer((socket) => this.#converse(socket));
    for (const server of [this.#egress, this.#smtp]) await listenOnLoopback(server);
  }

  #converse(socket: Socket): void {
    socket.write("220 mx.example.com ESMTP\r\n");
    this.#answer(socket, false);
  }

  #answer(line: Socket, isSecure: boolean): void {
    line.on("error", () => undefined);
    line.on("data", (chunk: Buffer) => {
      const command = chunk.toString().trim().toUpperCase();
      if (command.startsWith("EHLO"))
        line.write(
          `250-mx.example.com\r\n${isSecure ? "" : "250-STARTTLS\r\n"}250 SIZE 5242880\r\n`,
        );
      else if (command.startsWith("MAIL")) line.write(`${this.mailReply}\r\n`);
      else if (command.startsWith("RCPT")) line.write(`${this.rcptReply}\r\n`);
      else if (command === "STARTTLS") {
        line.removeAllListeners("data");
        line.write("220 2.0.0 Go ahead\r\n", () =>
          this.#answer(new TLSSocket(line, { isServer: true, ...this.smtpTls }), true),
        );
      } else line.end("221 Bye\r\n");
    });
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

function portOf(server: Server | HttpsServer | undefined): number {
  const address = server?.address() as AddressInfo | undefined;
  return address?.port ?? 0;
}

function closeServer(server: Server | HttpsServer): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
  });
}
