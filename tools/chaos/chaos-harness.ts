// Starts and stops everything that a campaign needs: workerd with the faulty worker, two hosts of
// the gateway, the Email Service's double, the mail server, DNS, the webhook receiver and the fault
// server. All of them listen on 127.0.0.1.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cleanup } from "../harness/cleanup.ts";
import { VARS } from "../harness/tenant.ts";
import { ownPorts } from "../harness/loopback.ts";
import { eventsUrlOf } from "../dev/email-service/wrapped-worker.ts";
import { bundleFaultyWorker } from "./chaos-bundle.ts";
import { serveDns } from "./chaos-dns.ts";
import { CarriedLog } from "./email-service/carried-copies.ts";
import { EventRelay } from "./email-service/event-relay.ts";
import { Departure } from "./gateways/departure.ts";
import { GatewayHosts, localUrl } from "./gateways/gateway-hosts.ts";
import { GrowingLog, type JournalFact, type MailFact } from "./recorded-facts.ts";
import { ChaosProcess } from "./chaos-process.ts";
import type { RoundPlan } from "./plan.ts";
import { Readers } from "./replies/readers.ts";
import type { Victim } from "./plan-kills.ts";
import { RecentLines } from "./recent-lines.ts";
import { Receiver } from "./webhook-receiver.ts";
import { Runtime } from "./runtime.ts";
import { FaultServer } from "./fault-server.ts";

export interface Pace {
  /** The service divides its schedules by this number. */
  readonly speedup: number;
  /**
   * Seconds for which the gateway waits for each reply of a mail server, except for the reply to
   * the final dot.
   */
  readonly stepSeconds: number;
}

/** The pace of a storm. A message expires after seven minutes at this pace. */
const STORMY: Pace = { speedup: 600, stepSeconds: 1 };
const DOWN_MS = 150;
/**
 * The divisor of leases, which then last 10 s. A shorter lease would end too early: on a slow
 * machine, a consumer needs several seconds to compose the copies that it claimed.
 */
const LEASE_SPEEDUP = 12;
/**
 * Milliseconds for which the worker is silent before it is killed. They stand for a quarter of an
 * hour. All mail servers answer in this time, so the gateway knows each outcome before the worker
 * asks.
 */
const DOWN_FOR_MINUTES_MS = 1_500;
const SERVICE_TOKEN = "chaos-email-service-token";
const HEALTH_MS = 10 * 60_000;

/** Ports of processes that restart on the same port after a kill. */
const PORTS = ["worker", "entry", "a", "b", "submission", "replies", "mx", "service"] as const;
type ChaosPorts = Readonly<Record<(typeof PORTS)[number], number>>;

export class ChaosHarness {
  readonly faults = new FaultServer((victim) => this.kill(victim));
  readonly receiver = new Receiver(this.faults);
  /** The ids of all teams. */
  readonly teams: string[] = [];
  readonly serviceKills: number[] = [];
  readonly workerKills: number[] = [];
  /** The worker's last log lines. */
  readonly workerLines = new RecentLines();
  /** The number of times that the service paused a webhook after failures (opened its circuit). */
  circuitsOpened = 0;
  ledgersEvicted = 0;
  submissionPort = 0;
  receiverPort = 0;
  runtime!: Runtime;
  hosts!: GatewayHosts;
  departure!: Departure;
  #mx!: ChaosProcess;
  #emailService!: ChaosProcess;
  relay!: EventRelay;
  carried!: CarriedLog;
  readers!: Readers;
  #mailLog!: GrowingLog<MailFact>;
  readonly #kills: Readonly<Record<Victim, () => void>> = {
    worker: () => this.#restartWorker(this.runtime.kill()),
    worker_for_minutes: () => this.#restartWorker(this.runtime.kill(DOWN_FOR_MINUTES_MS)),
    // The call fails if the worker is down. No ledger is then in memory.
    ledgers: () => void this.#evictLedgers().catch(() => undefined),
    gateway_a: () => this.hosts.kill("a", false),
    gateway_b: () => this.hosts.kill("b", false),
    gateway_a_softly: () => this.hosts.kill("a", true),
    gateway_b_softly: () => this.hosts.kill("b", true),
    gateway_b_leaves: () => this.departure.begin(),
    mx: () => this.#mx.kill(DOWN_MS),
    email_service: () => this.#emailService.kill(DOWN_MS),
  };

  static async start(cleanup: Cleanup, pace = STORMY): Promise<ChaosHarness> {
    const harness = new ChaosHarness();
    const root = await mkdtemp(join(tmpdir(), "postern-chaos-"));
    cleanup.add(() => rm(root, { recursive: true, force: true }));
    const bundling = bundleFaultyWorker(cleanup);
    const ports = await ownPorts(...PORTS);
    harness.submissionPort = ports.submission;
    const mailLog = join(root, "mail.ndjson");
    harness.#mailLog = new GrowingLog(mailLog);
    harness.readers = new Readers(mailLog, { port: ports.replies, worker: localUrl(ports.worker) });
    const outside = await harness.#startOutside(cleanup, root, ports, pace);
    harness.hosts = await GatewayHosts.start(cleanup, {
      root,
      ports,
      workerUrl: localUrl(ports.worker),
      submissionPort: ports.submission,
      repliesPort: ports.replies,
      mxPort: ports.mx,
      dnsPort: outside.dns,
      stepSeconds: pace.stepSeconds,
    });
    const { a, b } = harness.hosts.urls;
    harness.departure = new Departure(harness, [a, b]);
    harness.runtime = await Runtime.start(cleanup, await bundling, {
      state: join(root, "state"),
      port: ports.worker,
      entryPort: ports.entry,
      vars: {
        ...workerSettings(ports, pace),
        EGRESS_URL: `${a},${b}`,
        CRASH_POINT_URL: localUrl(outside.faults),
      },
      onLog: (line) => harness.#heard(line),
    });
    harness.readers.begin(cleanup);
    return harness;
  }

  /**
   * Starts the parts that do not belong to the service: mail server, Email Service, DNS, receiver,
   * faults. Returns the ports of DNS and of the fault server.
   */
  async #startOutside(
    cleanup: Cleanup,
    root: string,
    ports: ChaosPorts,
    pace: Pace,
  ): Promise<{ readonly dns: number; readonly faults: number }> {
    const target = { url: eventsUrlOf(localUrl(ports.worker)), token: SERVICE_TOKEN };
    this.relay = new EventRelay(this.faults, target);
    this.carried = new CarriedLog(join(root, "email-service"));
    const [faults, relay, receiver, dns] = await Promise.all([
      this.faults.listen(cleanup),
      this.relay.listen(cleanup),
      this.receiver.listen(cleanup),
      serveDns(cleanup, this.faults),
    ]);
    this.receiverPort = receiver;
    this.#mx = await ChaosProcess.start(
      cleanup,
      new URL(import.meta.resolve("./chaos-mx.ts")).pathname,
      {
        CHAOS_MX_PORT: String(ports.mx),
        CHAOS_MX_LOG: join(root, "mail.ndjson"),
        CHAOS_FAULTS: localUrl(faults),
      },
      /^listening$/,
    );
    this.#emailService = await ChaosProcess.start(
      cleanup,
      new URL(import.meta.resolve("./email-service/killable-double.ts")).pathname,
      { ...serviceSettings(root, ports, pace), CHAOS_SERVICE_EVENTS: `${localUrl(relay)}/` },
      /^listening$/,
      () => void this.serviceKills.push(Date.now()),
    );
    return { dns, faults };
  }

  /**
   * Prepares the storm of these rounds. Starts both hosts of the gateway in the planned versions.
   */
  async beginStorm(plans: readonly RoundPlan[]): Promise<void> {
    await this.departure.undo();
    const old = plans[0]?.oldHosts ?? [];
    const leaves = plans.some(({ kills }) =>
      kills.some(({ victims }) => victims.includes("gateway_b_leaves")),
    );
    // The worker asks a host about copies by key before the host leaves. An earlier version can't
    // do this, so no earlier version takes part in a departure.
    this.hosts.makeOld(leaves ? old.filter((host) => host !== "b") : old);
    this.relay.beginStorm();
    this.faults.begin(leaves ? plans.map(withoutEarlierWorker) : plans);
  }

  /** Kills the victim and restarts it immediately. */
  kill(victim: Victim): void {
    this.#kills[victim]();
  }

  /** Restarts the worker with other settings, as a deployment does. */
  async deploy(vars: Readonly<Record<string, string>>): Promise<void> {
    const deploying = this.runtime.deploy(vars);
    this.#restartWorker(deploying);
    await deploying;
  }

  #restartWorker(restarting: Promise<void>): void {
    // A failed restart is not reported here, because the check finds the missing mail and events.
    this.#noteRestart(restarting).catch((error: unknown) =>
      this.faults.injected.add(String(error)),
    );
  }

  async #noteRestart(restarting: Promise<void>): Promise<void> {
    this.workerKills.push(Date.now());
    await restarting;
    this.workerKills.push(Date.now());
    // The queues are in workerd's memory, so the kill lost all queued events.
    this.relay.publishAgain();
  }

  async #evictLedgers(): Promise<void> {
    const request = { method: "POST", body: JSON.stringify(this.teams) };
    const response = await fetch(`${this.runtime.origin}/__chaos/evict`, request);
    this.ledgersEvicted += (await response.json()) as number;
  }

  /** Resolves when all processes are up. */
  async up(): Promise<void> {
    await Promise.all([this.hosts.up(), this.#mx.up(), this.#emailService.up()]);
    const until = Date.now() + HEALTH_MS;
    const state = { method: "POST", body: JSON.stringify({ team: "unknown", webhooks: [] }) };
    while (!this.runtime.isUp || !(await this.fetch("/__chaos/state", state)).ok) {
      if (Date.now() > until) throw new Error("the worker is not up");
      await sleep(50);
    }
  }

  /** Calls the worker. Repeats the call while the worker is down. */
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

  /** Returns the new lines of the mail server's log and of the gateway's journals. */
  readLogs(): { mail: MailFact[]; journal: JournalFact[] } {
    return { mail: this.#mailLog.read(), journal: this.hosts.readJournals() };
  }

  #heard(text: string): void {
    if (text.includes(`"event":"webhook_circuit"`) && text.includes(`"open"`))
      this.circuitsOpened += 1;
    if (text.includes(`"event":"email_event_unmatched"`)) this.relay.noteGivenUp();
    this.workerLines.add(text);
  }
}

function withoutEarlierWorker(plan: RoundPlan): RoundPlan {
  return { ...plan, odds: plan.odds.filter(({ fault }) => fault !== "earlier_worker") };
}

function workerSettings(ports: ChaosPorts, { speedup }: Pace): Record<string, string> {
  return {
    ...VARS,
    EMAIL_SERVICE_URL: localUrl(ports.service),
    EMAIL_SERVICE_TOKEN: SERVICE_TOKEN,
    RETRY_SPEEDUP: String(speedup),
    LEASE_SPEEDUP: String(LEASE_SPEEDUP),
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
    CHAOS_SERVICE_MX_PORT: String(ports.mx),
    CHAOS_SERVICE_SPEEDUP: String(speedup),
  };
}
