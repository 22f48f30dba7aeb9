// Decides how long a session waits for its client. An authenticated client may be silent for long;
// any other client for a minute, or for ten seconds under stress, when many such clients compete
// for places. An unauthenticated session also has a bounded length, so that a client can't hold a
// place for ever by a byte now and then.

interface SessionTimeoutsOptions {
  /** Milliseconds that an authenticated client may be silent. */
  readonly idleMs: number;
  /**
   * True: the port takes reports without authentication, so unauthenticated clients get more time.
   */
  readonly takesReports: boolean;
  /** True: unauthenticated clients compete for places. */
  readonly isStressed: () => boolean;
}

const UNAUTHENTICATED_IDLE_MS = 60_000;
const STRESSED_IDLE_MS = 10_000;
/**
 * The longest sessions of unauthenticated clients: usual, on ports that take reports, and under
 * stress.
 */
const UNAUTHENTICATED_SESSION_MS = 2 * 60_000;
const REPORTER_SESSION_MS = 15 * 60_000;
const STRESSED_SESSION_MS = 30_000;

export class SessionTimeouts {
  readonly #options: SessionTimeoutsOptions;
  #role: "unauthenticated" | "reporter" | "authenticated" = "unauthenticated";
  #deadline: NodeJS.Timeout | undefined;
  /** The length of the client's silence at the last check, and the number of bytes sent by then. */
  #silence = { ms: 0, bytes: 0 };

  constructor(options: SessionTimeoutsOptions) {
    this.#options = options;
  }

  /**
   * The gateway calls allowsSilence() after this many milliseconds of silence. An unauthenticated
   * client is checked early, so that stress also shortens a silence that has already begun.
   */
  get idleMs(): number {
    return this.#role === "authenticated"
      ? this.#options.idleMs
      : Math.min(this.#options.idleMs, STRESSED_IDLE_MS);
  }

  /**
   * Tells whether a client that was silent for another `idleMs` may stay silent. `bytes`: how many
   * the client has sent so far.
   */
  allowsSilence(bytes: number): boolean {
    if (this.#role === "authenticated") return false;
    const longest = Math.min(this.#options.idleMs, UNAUTHENTICATED_IDLE_MS);
    const before = this.#silence.bytes === bytes ? this.#silence.ms : 0;
    this.#silence = { ms: before + this.idleMs, bytes };
    return this.#silence.ms < longest && !this.#isShort;
  }

  /** Calls `onEnd` when the session has taken too long without authentication. */
  startDeadline(
    onEnd: () => void,
    left = this.#options.takesReports ? REPORTER_SESSION_MS : UNAUTHENTICATED_SESSION_MS,
  ): void {
    const wait = Math.min(left, STRESSED_SESSION_MS);
    this.#deadline = setTimeout(() => {
      if (wait >= left || this.#isShort) onEnd();
      else this.startDeadline(onEnd, left - wait);
    }, wait);
  }

  /** The client named a genuine return-path, so stress does not shorten its session. */
  extendForReport(): void {
    if (this.#role === "unauthenticated") this.#role = "reporter";
  }

  /** The client has authenticated, so its session may last longer. */
  extendForAuthenticated(): void {
    this.#role = "authenticated";
    this.stopDeadline();
  }

  stopDeadline(): void {
    clearTimeout(this.#deadline);
  }

  get #isShort(): boolean {
    return this.#role === "unauthenticated" && this.#options.isStressed();
  }
}
