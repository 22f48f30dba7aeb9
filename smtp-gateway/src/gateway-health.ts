// Whether this gateway is fit (docs/egress-protocol.md): its journal takes a line, its mail ports
// listen, the worker answers and knows the token. What only the worker is to blame for makes it
// degraded and no more: nothing would be won by starting it again.
import type { MailPorts } from "./inbound/mail-ports.ts";
import type { WorkerState } from "./worker-api.ts";

export interface HealthReport {
  readonly status: "ok" | "degraded" | "unavailable";
  /** Absent: all is well. */
  readonly reason?: string;
  readonly checks: {
    readonly journal: boolean;
    readonly mail_ports?: boolean;
    readonly worker?: boolean;
  };
}

/** What is asked after. */
export interface Organs {
  readonly isDraining: () => boolean;
  readonly journal: { probe(): boolean };
  /** Null: no mail comes in. */
  readonly mail: Pick<MailPorts, "isListening" | "askWorker"> | null;
}

/**
 * An answer holds for so long, whoever asks: each costs the journal a byte, and the worker a
 * request.
 */
const REPORT_KEPT_MS = 1_000;
const WORKER_KEPT_MS = 5_000;

const WORKER_REASONS: Readonly<Record<WorkerState, string | null>> = {
  agreed: null,
  refused: "the worker does not know this gateway's token",
  unwell: "the worker answers with an error",
  unreachable: "the worker does not answer",
};

export class Health {
  readonly #organs: Organs;
  #report: { readonly promise: Promise<HealthReport>; readonly until: number } | null = null;
  #worker: { readonly state: Promise<WorkerState>; readonly until: number } | null = null;

  constructor(organs: Organs) {
    this.#organs = organs;
  }

  /** Never rejects. */
  report(): Promise<HealthReport> {
    const now = performance.now();
    // On its way out it says so at once.
    if (this.#organs.isDraining() || (this.#report?.until ?? 0) <= now) {
      this.#report = { promise: this.#look(now), until: now + REPORT_KEPT_MS };
    }
    return this.#report!.promise;
  }

  async #look(now: number): Promise<HealthReport> {
    const { isDraining, journal, mail } = this.#organs;
    const checks: HealthReport["checks"] = {
      journal: journal.probe(),
      ...(mail && { mail_ports: mail.isListening() }),
    };
    const ownReason = isDraining()
      ? "draining"
      : checks.journal
        ? null
        : "the journal can't be written";
    const unavailable = ownReason ?? (checks.mail_ports === false ? "a mail port is closed" : null);
    if (!mail || isDraining()) return reportOf(unavailable, null, checks);
    if ((this.#worker?.until ?? 0) <= now)
      this.#worker = { state: mail.askWorker(), until: now + WORKER_KEPT_MS };
    const degraded = WORKER_REASONS[await this.#worker!.state];
    return reportOf(unavailable, degraded, { ...checks, worker: degraded === null });
  }
}

function reportOf(
  unavailable: string | null,
  degraded: string | null,
  checks: HealthReport["checks"],
): HealthReport {
  if (unavailable !== null) return { status: "unavailable", reason: unavailable, checks };
  return degraded === null
    ? { status: "ok", checks }
    : { status: "degraded", reason: degraded, checks };
}
