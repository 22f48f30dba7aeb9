// Starts and stops everything that a campaign needs: workerd with the faulty worker, the gateway
// with its journal, the Email Service's double, the mail server, DNS, the webhook receiver and the
// fault server. All of them listen on 127.0.0.1.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "../harness/compatibility.ts";
import type { Cleanup } from "../harness/cleanup.ts";
import { GATEWAY_TOKEN, VARS } from "../harness/tenant.ts";
import { freePorts } from "../harness/loopback.ts";
import { patience } from "../harness/slowness.ts";
import { selfSigned } from "../harness/smtp/self-signed.ts";
import { eventsUrlOf } from "../dev/email-service/wrapped-worker.ts";
import { bundleFaultyWorker } from "./chaos-bundle.ts";
import { serveDns } from "./chaos-dns.ts";
import { CarriedLog } from "./email-service/carried-copies.ts";
import { EventRelay } from "./email-service/event-relay.ts";
import { GrowingJournal, GrowingLog, type JournalFact, type MailFact } from "./recorded-facts.ts";
import { ChaosProcess } from "./chaos-process.ts";
import type { Victim } from "./plan.ts";
import { Receiver } from "./webhook-receiver.ts";
import { Runtime } from "./runtime.ts";
import { FaultServer } from "./fault-server.ts";

export interface Pace {
  /** Divides the service's waits. */
  readonly speedup: number;
  /** The gateway waits this long for each step of a mail server. */
  readonly stepSeconds: number;
}

/** Leases of 0.4 s, first retries after 0.2 s, an expiry after 14 minutes. */
const STORMY: Pace = { speedup: 600, stepSeconds: 1 };
const DOWN_MS = 150;
const SERVICE_TOKEN = "chaos-email-service-token";
const LINES_KEPT = 2_000;
const HEALTH_MS = patience(60_000);

const PORTS = [
  "worker",
  "entry",
  "egress",
  "submission",
  "mx",
  "dns",
  "faults",
  "receiver",
  "service",
  "relay",
] as const;
type ChaosPorts = Readonly<Record<(typeof PORTS)[number], number>>;

export interface ChaosLine {
  readonly at: number;
  readonly text: string;
}

export class ChaosHarness {
  readonly faults = new FaultServer((victim) => this.kill(victim));
  readonly receiver = new Receiver(this.faults);
  readonly gatewayKills: number[] = [];
  readonly serviceKills: number[] = [];
  readonly workerKills: number[] = [];
  /** The worker's last log lines. */
  workerLines: ChaosLine[] = [];
  /** Number of webhooks whose deliveries were held after many failures. */
  circuitsOpened = 0;
  submissionPort = 0;
  receiverPort = 0;
  runtime!: Runtime;
  #gateway!: ChaosProcess;
  #mx!: ChaosProcess;
  #emailService!: ChaosProcess;
  relay!: EventRelay;
  carried!: CarriedLog;
  #mailLog!: GrowingLog<MailFact>;
  #journal!: GrowingJournal;

  static async start(cleanup: Cleanup, pace = STORMY): Promise<ChaosHarness> {
    const harness = new ChaosHarness();
    const root = await mkdtemp(join(tmpdir(), "postern-chaos-"));
    cleanup.add(() => rm(root, { recursive: true, force: true }));
    await Promise.all(["bundle", "egress"].map((name) => mkdir(join(root, name))));
    const bundling = bundleFaultyWorker(cleanup, join(root, "bundle"));
    const ports = await freePorts(...PORTS);
    harness.submissionPort = ports.submission;
    harness.receiverPort = ports.receiver;
    harness.#mailLog = new GrowingLog(join(root, "mail.ndjson"));
    harness.#journal = new GrowingJournal(join(root, "egress"));
    await harness.#startOutside(cleanup, root, ports, pace);
    harness.runtime = await Runtime.start(cleanup, await bundling, {
      state: join(root, "state"),
      port: ports.worker,
      entryPort: ports.entry,
      vars: workerSettings(ports, pace),
      onLog: (line) => harness.#heard(line),
    });
    harness.#gateway = await ChaosProcess.start(
      cleanup,
      join(ROOT, "smtp-gateway", "src", "main.ts"),
      await gatewaySettings(root, ports, pace),
      /"event":"started"/,
      () => void harness.gatewayKills.push(Date.now()),
    );
    return harness;
  }

  /** Starts what lies outside the service: mail server, Email Service, DNS, receiver, faults. */
  async #startOutside(
    cleanup: Cleanup,
    root: string,
    ports: ChaosPorts,
    pace: Pace,
  ): Promise<void> {
    const target = { url: eventsUrlOf(at(ports.worker)), token: SERVICE_TOKEN };
    this.relay = new EventRelay(this.faults, target);
    this.carried = new CarriedLog(join(root, "email-service"));
    await Promise.all([
      this.faults.listen(cleanup, ports.faults),
      this.relay.listen(cleanup, ports.relay),
      this.receiver.listen(cleanup, ports.receiver),
      serveDns(cleanup, ports.dns, this.faults),
    ]);
    this.#mx = await ChaosProcess.start(
      cleanup,
      new URL(import.meta.resolve("./chaos-mx.ts")).pathname,
      {
        CHAOS_MX_PORT: String(ports.mx),
        CHAOS_MX_LOG: join(root, "mail.ndjson"),
        CHAOS_FAULTS: at(ports.faults),
      },
      /^listening$/,
      () => undefined,
    );
    this.#emailService = await ChaosProcess.start(
      cleanup,
      new URL(import.meta.resolve("./email-service/killable-double.ts")).pathname,
      serviceSettings(root, ports, pace),
      /^listening$/,
      () => void this.serviceKills.push(Date.now()),
    );
  }

  /** Kills the victim and restarts it at once. */
  kill(victim: Victim): void {
    switch (victim) {
      case "worker":
        this.workerKills.push(Date.now());
        this.runtime
          .kill()
          // The queues were in its memory.
          .then(() => this.relay.publishAgain())
          // If the kill fails, the check finds what the campaign then lacks.
          .catch((error: unknown) => this.faults.note(String(error)));
        break;
      case "gateway":
        this.#gateway.kill(DOWN_MS);
        break;
      case "gateway_softly":
        this.#gateway.kill(0, "SIGTERM");
        break;
      case "mx":
        this.#mx.kill(DOWN_MS);
        break;
      case "email_service":
        this.#emailService.kill(DOWN_MS);
        break;
    }
  }

  /** Resolves when everything is up. */
  async up(): Promise<void> {
    await Promise.all([this.#gateway.up(), this.#mx.up(), this.#emailService.up()]);
    const until = Date.now() + HEALTH_MS;
    for (;;) {
      try {
        if (this.runtime.isUp && (await fetch(`${this.runtime.origin}/__chaos/?team=unknown`)).ok)
          return;
      } catch {
        // The worker is not up yet.
      }
      if (Date.now() > until) throw new Error("the worker is not up");
      await sleep(50);
    }
  }

  /** Calls the worker. A crash point may kill it when the storm is over, so this tries again. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const until = Date.now() + HEALTH_MS;
    for (;;) {
      try {
        return await fetch(this.runtime.origin + path, init);
      } catch (error) {
        if (Date.now() > until) throw error;
        await sleep(50);
      }
    }
  }

  /** Returns the new lines of the mail server's log and of the gateway's journal. */
  readLogs(): { mail: MailFact[]; journal: JournalFact[] } {
    return { mail: this.#mailLog.read(), journal: this.#journal.read() };
  }

  #heard(text: string): void {
    if (text.includes(`"event":"webhook_circuit"`) && text.includes(`"open"`))
      this.circuitsOpened += 1;
    if (text.includes(`"event":"email_event_unmatched"`)) this.relay.noteGivenUp();
    this.workerLines.push({ at: Date.now(), text });
    if (this.workerLines.length > 2 * LINES_KEPT)
      this.workerLines = this.workerLines.slice(-LINES_KEPT);
  }
}

function at(port: number): string {
  return `http://127.0.0.1:${port}`;
}

function workerSettings(ports: ChaosPorts, { speedup }: Pace): Record<string, string> {
  return {
    ...VARS,
    EGRESS_URL: at(ports.egress),
    EMAIL_SERVICE_URL: at(ports.service),
    EMAIL_SERVICE_TOKEN: SERVICE_TOKEN,
    CRASH_POINT_URL: at(ports.faults),
    RETRY_SPEEDUP: String(speedup),
    WEBHOOK_ALLOW_PRIVATE: "true",
    LOG_LEVEL: "info",
  };
}

function serviceSettings(
  root: string,
  ports: ChaosPorts,
  { speedup }: Pace,
): Record<string, string> {
  return {
    CHAOS_SERVICE_PORT: String(ports.service),
    CHAOS_SERVICE_STATE: join(root, "email-service"),
    CHAOS_SERVICE_TOKEN: SERVICE_TOKEN,
    CHAOS_SERVICE_EVENTS: `${at(ports.relay)}/`,
    CHAOS_SERVICE_MX_PORT: String(ports.mx),
    CHAOS_SERVICE_SPEEDUP: String(speedup),
  };
}

async function gatewaySettings(
  root: string,
  ports: ChaosPorts,
  { stepSeconds }: Pace,
): Promise<Record<string, string>> {
  const { key, cert } = selfSigned(["localhost"]);
  const [certificate, keyFile] = [join(root, "cert.pem"), join(root, "key.pem")];
  await Promise.all([writeFile(certificate, cert), writeFile(keyFile, key)]);
  const seconds = ["CONNECT", "GREETING", "COMMAND", "DATA", "FINAL"].map((name) => [
    `EGRESS_${name}_SECONDS`,
    String(stepSeconds),
  ]);
  return {
    ...(Object.fromEntries(seconds) as Record<string, string>),
    EGRESS_WAIT_SECONDS: "5",
    // A domain's few messages use its connections again.
    EGRESS_CONNECTIONS_PER_HOST: "2",
    EGRESS_IDLE_SECONDS: "3",
    EGRESS_DRAIN_SECONDS: "1",
    GATEWAY_TOKEN,
    GATEWAY_HOSTNAME: "gateway.chaos.example",
    EGRESS_HOST: "127.0.0.1",
    EGRESS_PORT: String(ports.egress),
    EGRESS_STATE: join(root, "egress"),
    EGRESS_DNS: `127.0.0.1:${ports.dns}`,
    EGRESS_SMTP_PORT: String(ports.mx),
    EGRESS_ALLOW_PRIVATE: "true",
    SUBMISSION_HOST: "127.0.0.1",
    SUBMISSION_PORTS: String(ports.submission),
    WORKER_URL: at(ports.worker),
    SUBMISSION_CERTIFICATE: certificate,
    SUBMISSION_KEY: keyFile,
  };
}
