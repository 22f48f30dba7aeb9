// The two hosts of the gateway. Each is a process with its own journal, behind a relay
// (egress-relay.ts). The first host also accepts submissions and replies. The second host can
// leave: its process ends, its journal is deleted, and a new host with an empty journal replaces
// it.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Cleanup } from "../../harness/cleanup.ts";
import { ROOT } from "../../harness/compatibility.ts";
import { selfSigned } from "../../harness/smtp/self-signed.ts";
import { GATEWAY_TOKEN } from "../../harness/tenant.ts";
import { ChaosProcess } from "../chaos-process.ts";
import { type GatewayKill, GrowingJournal, type JournalFact } from "../recorded-facts.ts";
import { EgressRelay } from "./egress-relay.ts";
import { EgressTally } from "./egress-tally.ts";
import { ehloNameOf, HOST_NAMES, type HostName } from "./host-name.ts";

export interface HostSettings {
  /** Folder of the journals and of the certificate. */
  readonly root: string;
  /** Ports of the hosts. Each host has a relay in front of it. */
  readonly ports: Readonly<Record<HostName, number>>;
  readonly workerUrl: string;
  readonly submissionPort: number;
  /** Port 25 of the first host. */
  readonly repliesPort: number;
  readonly mxPort: number;
  readonly dnsPort: number;
  /**
   * Seconds for which a host waits for each reply of a mail server, except for the reply to the
   * final dot.
   */
  readonly stepSeconds: number;
}

const MAIN = join(ROOT, "smtp-gateway", "src", "main.ts");
const DOWN_MS = 150;
/**
 * The wait for the reply to a final dot, as a multiple of the wait for other replies. It is longer,
 * as in production.
 */
const FINAL_STEPS = 3;
/** The gateway waits a minute for the reply to a command, divided by EGRESS_SPEEDUP. */
const COMMAND_SECONDS = 60;

export class GatewayHosts {
  readonly kills: GatewayKill[] = [];
  /** The times when a host was killed or asked to end, in Unix milliseconds. */
  readonly restarts: number[] = [];
  readonly tally = new EgressTally();
  /** URLs of the relays, which the worker uses. */
  readonly urls = {} as Record<HostName, string>;
  readonly #place: HostSettings;
  readonly #cleanup: Cleanup;
  readonly #relays = {} as Record<HostName, EgressRelay>;
  readonly #processes = {} as Record<HostName, ChaosProcess>;
  /** The journals of all hosts, including those that have left. */
  readonly #journals: GrowingJournal[] = [];

  private constructor(cleanup: Cleanup, place: HostSettings) {
    this.#cleanup = cleanup;
    this.#place = place;
  }

  static async start(cleanup: Cleanup, place: HostSettings): Promise<GatewayHosts> {
    const hosts = new GatewayHosts(cleanup, place);
    const { key, cert } = selfSigned(["localhost"]);
    await Promise.all([
      writeFile(join(place.root, "cert.pem"), cert),
      writeFile(join(place.root, "key.pem"), key),
    ]);
    await Promise.all(
      HOST_NAMES.map(async (host) => {
        hosts.#relays[host] = new EgressRelay(localUrl(place.ports[host]), hosts.tally);
        hosts.urls[host] = localUrl(await hosts.#relays[host].listen(cleanup));
        await hosts.#begin(host);
      }),
    );
    return hosts;
  }

  /** Kills a host, or asks it to end, and restarts it. */
  kill(host: HostName, softly: boolean): void {
    this.restarts.push(Date.now());
    if (softly) this.#processes[host].kill(0, "SIGTERM");
    else this.#processes[host].kill(DOWN_MS);
  }

  /** Resolves when every host is up. */
  async up(): Promise<void> {
    await Promise.all(HOST_NAMES.map((host) => this.#processes[host].up()));
  }

  /** Makes exactly these hosts look like an earlier version. */
  makeOld(old: readonly HostName[]): void {
    for (const host of HOST_NAMES) this.#relays[host].isOld = old.includes(host);
  }

  get isAnyOld(): boolean {
    return HOST_NAMES.some((host) => this.#relays[host].isOld);
  }

  /** Counts mail for this host as an error from now on. Call it before the host leaves. */
  expectNoMail(host: HostName): void {
    this.#relays[host].isLeaving = true;
  }

  /** Ends a host and starts a new host with an empty journal in its place. */
  async replace(host: HostName): Promise<void> {
    await this.#processes[host].end();
    this.#relays[host].isLeaving = false;
    await this.#begin(host);
  }

  /** Returns the new lines of all journals. */
  readJournals(): JournalFact[] {
    return this.#journals.flatMap((journal) => journal.read());
  }

  async #begin(host: HostName): Promise<void> {
    const state = join(this.#place.root, `egress-${host}-${this.#journals.length}`);
    this.#journals.push(new GrowingJournal(state));
    this.#processes[host] = await ChaosProcess.start(
      this.#cleanup,
      MAIN,
      settingsOf(this.#place, host, state),
      /"event":"started"/,
      () => void this.kills.push({ at: Date.now(), by: ehloNameOf(host) }),
    );
  }
}

export function localUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

function settingsOf(place: HostSettings, host: HostName, state: string): Record<string, string> {
  return {
    EGRESS_SPEEDUP: String(COMMAND_SECONDS / place.stepSeconds),
    EGRESS_GREETING_SECONDS: String(place.stepSeconds),
    EGRESS_FINAL_SECONDS: String(place.stepSeconds * FINAL_STEPS),
    // The limit is so low that even a few messages to a domain must share a connection.
    EGRESS_CONNECTIONS_PER_HOST: "2",
    EGRESS_DRAIN_SECONDS: "1",
    GATEWAY_TOKEN,
    GATEWAY_HOSTNAME: ehloNameOf(host),
    EGRESS_HOST: "127.0.0.1",
    EGRESS_PORT: String(place.ports[host]),
    EGRESS_STATE: state,
    EGRESS_DNS: `127.0.0.1:${place.dnsPort}`,
    EGRESS_SMTP_PORT: String(place.mxPort),
    EGRESS_ALLOW_PRIVATE: "true",
    ...(host === "a" ? submissionSettingsOf(place) : {}),
  };
}

function submissionSettingsOf({
  root,
  submissionPort,
  repliesPort,
  workerUrl,
}: HostSettings): Record<string, string> {
  return {
    SUBMISSION_HOST: "127.0.0.1",
    SUBMISSION_PORTS: String(submissionPort),
    RETURN_PATH: "true",
    RETURN_PATH_PORTS: String(repliesPort),
    WORKER_URL: workerUrl,
    SUBMISSION_CERTIFICATE: join(root, "cert.pem"),
    SUBMISSION_KEY: join(root, "key.pem"),
  };
}
