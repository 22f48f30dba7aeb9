// Decides how long a session waits for its client. An authenticated client may be silent for long,
// any other for a minute, or for ten seconds under stress, when such clients compete for places.
// Their whole session is bounded too, so that a client which sends a byte now and then can't hold a
// place for ever.

interface SessionTimeoutsOptions {
  /** Milliseconds that an authenticated client may be silent. */
  readonly idleMs: number;
  /** True: the port takes reports without authentication, and their clients get more time. */
  readonly takesReports: boolean;
  /** True: unauthenticated clients compete for places. */
  readonly isStressed: () => boolean;
}

const UNAUTHENTICATED_IDLE_MS = 60_000;
const STRESSED_IDLE_MS = 10_000;
/** Longest session of an unauthenticated client: usually, where reports are taken, under stress. */
const UNAUTHENTICATED_SESSION_MS = 2 * 60_000;
const REPORTER_SESSION_MS = 15 * 60_000;
const STRESSED_SESSION_MS = 30_000;

export class SessionTimeouts {
  readonly #options: SessionTimeoutsOptions;
  #role: "unauthenticated" | "reporter" | "authenticated" = "unauthenticated";
  #deadline: NodeJS.Timeout | undefined;
  /** The length of the client's silence at the last check, and the bytes it had sent by then. */
  #silence = { ms: 0, bytes: 0 };

  constructor(options: SessionTimeoutsOptions) {
    this.#options = options;
  }

  /**
   * Milliseconds of silence after which allowsSilence() must be asked. An unauthenticated client is
   * checked early, so that stress also shortens a silence that has begun.
   */
  get idleMs(): number {
    return this.#role === "authenticated"
      ? this.#options.idleMs
      : Math.min(this.#options.idleMs, STRESSED_IDLE_MS);
  }

  /**
   * True: a client that was silent for another `idleMs` may stay silent. `bytes`: how many the
   * client has sent so far.
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

  /** The client named a genuine return-path: stress does not shorten its session. */
  extendForReport(): void {
    if (this.#role === "unauthenticated") this.#role = "reporter";
  }

  /** The client has authenticated: its session may last. */
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
