// Decides how long a session waits for its client. An authenticated client may be silent for a long
// time. Any other client may be silent for a minute, or for ten seconds under stress, when many
// such clients compete for slots. An unauthenticated session also has a maximum length, so that a
// client can't keep its slot forever by sending single bytes.

export interface SessionTimeoutsOptions {
  /** Milliseconds that an authenticated client may be silent. */
  readonly idleMs: number;
  /**
   * True: without authentication, the port accepts all reports, so unauthenticated clients get more
   * time. False: it accepts only bounces.
   */
  readonly takesReports: boolean;
  /** True: many unauthenticated clients compete for slots (stress). */
  readonly isStressed: () => boolean;
}

const UNAUTHENTICATED_IDLE_MS = 60_000;
const STRESSED_IDLE_MS = 10_000;
/**
 * The maximum length of an unauthenticated session. REPORTER_SESSION_MS applies to ports that
 * accept reports, and STRESSED_SESSION_MS while many clients compete for slots.
 */
const UNAUTHENTICATED_SESSION_MS = 2 * 60_000;
const REPORTER_SESSION_MS = 15 * 60_000;
const STRESSED_SESSION_MS = 30_000;

export class SessionTimeouts {
  readonly #options: SessionTimeoutsOptions;
  #role: "unauthenticated" | "reporter" | "authenticated" = "unauthenticated";
  #deadline: NodeJS.Timeout | undefined;
  /**
   * `ms`: length of the client's silence at the last check. `bytes`: number of bytes that the
   * client had sent by then.
   */
  #silence = { ms: 0, bytes: 0 };

  constructor(options: SessionTimeoutsOptions) {
    this.#options = options;
  }

  /**
   * Milliseconds of silence after which the session calls allowsSilence(). For an unauthenticated
   * client, the first check comes early: if clients begin to compete for slots, a silence that has
   * already begun may then be cut short.
   */
  get idleMs(): number {
    return this.#role === "authenticated"
      ? this.#options.idleMs
      : Math.min(this.#options.idleMs, STRESSED_IDLE_MS);
  }

  /**
   * Tells whether a client may stay silent. The session asks this after each `idleMs` of silence.
   * `bytes`: number of bytes that the client has sent so far.
   */
  allowsSilence(bytes: number): boolean {
    if (this.#role === "authenticated") return false;
    const longest = Math.min(this.#options.idleMs, UNAUTHENTICATED_IDLE_MS);
    const before = this.#silence.bytes === bytes ? this.#silence.ms : 0;
    this.#silence = { ms: before + this.idleMs, bytes };
    return this.#silence.ms < longest && !this.#isShort;
  }

  /** Calls `onEnd` when the session has lasted too long without authentication. */
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

  /**
   * Must be called when the client has named a genuine return-path. After that, the session keeps
   * its full length even if many clients compete for slots.
   */
  extendForReport(): void {
    if (this.#role === "unauthenticated") this.#role = "reporter";
  }

  /**
   * Must be called when the client has authenticated. After that, the session's length is not
   * limited.
   */
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
