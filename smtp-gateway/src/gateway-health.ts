// Decides whether this gateway is healthy (docs/egress-protocol.md §Health). A healthy gateway can
// write its journal, its mail ports listen, and the worker answers it and accepts its token. If
// only the worker is at fault, the gateway is degraded but stays available, because a restart would
// not help.
import type { WorkerState } from "./inbound/worker-api.ts";

export interface HealthStatus {
  readonly status: "ok" | "degraded" | "unavailable";
  /** The reason why the gateway is not healthy. Absent if it is healthy. */
  readonly reason?: string;
  readonly checks: {
    readonly journal: boolean;
    readonly mail_ports?: boolean;
    readonly worker?: boolean;
  };
}

/** The parts of the gateway whose health is checked. */
export interface HealthSources {
  readonly isDraining: () => boolean;
  readonly journal: { probe(): boolean };
  /** The mail ports and the worker behind them. Null: no port for incoming mail is open. */
  readonly mail: {
    readonly isListening: () => boolean;
    readonly checkWorker: () => Promise<WorkerState>;
  } | null;
}

/** Milliseconds for which a report is reused, because each new report writes to the journal. */
const REPORT_KEPT_MS = 1_000;
/**
 * Milliseconds for which the worker's answer is reused, because each new answer costs the worker a
 * request.
 */
const WORKER_KEPT_MS = 5_000;

const WORKER_REASONS: Readonly<Record<WorkerState, string | null>> = {
  agreed: null,
  refused: "the worker does not know this gateway's token",
  unwell: "the worker answers with an error",
  unreachable: "the worker does not answer",
};

export class Health {
  readonly #sources: HealthSources;
  #report: { readonly promise: Promise<HealthStatus>; readonly until: number } | null = null;
  #worker: { readonly state: Promise<WorkerState>; readonly until: number } | null = null;

  constructor(sources: HealthSources) {
    this.#sources = sources;
  }

  /** Returns the health report. Never rejects. */
  report(): Promise<HealthStatus> {
    const now = performance.now();
    // A stopping gateway reports only that it is stopping, without checks and without the cache.
    if (this.#sources.isDraining() || (this.#report?.until ?? 0) <= now) {
      this.#report = { promise: this.#check(now), until: now + REPORT_KEPT_MS };
    }
    return this.#report!.promise;
  }

  async #check(now: number): Promise<HealthStatus> {
    const { isDraining, journal, mail } = this.#sources;
    const checks: HealthStatus["checks"] = {
      journal: journal.probe(),
      ...(mail && { mail_ports: mail.isListening() }),
    };
    const unavailable = isDraining() ? "draining" : faultIn(checks);
    if (!mail || isDraining()) return reportOf(unavailable, null, checks);
    if ((this.#worker?.until ?? 0) <= now)
      this.#worker = { state: mail.checkWorker(), until: now + WORKER_KEPT_MS };
    const degraded = WORKER_REASONS[await this.#worker!.state];
    return reportOf(unavailable, degraded, { ...checks, worker: degraded === null });
  }
}

function faultIn({ journal, mail_ports }: HealthStatus["checks"]): string | null {
  if (!journal) return "the journal can't be written";
  return mail_ports === false ? "a mail port is closed" : null;
}

function reportOf(
  unavailable: string | null,
  degraded: string | null,
  checks: HealthStatus["checks"],
): HealthStatus {
  if (unavailable !== null) return { status: "unavailable", reason: unavailable, checks };
  return degraded === null
    ? { status: "ok", checks }
    : { status: "degraded", reason: degraded, checks };
}
