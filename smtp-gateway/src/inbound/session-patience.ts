// Decides how long a session waits for its client. A customer may be silent for long, a stranger
// for a minute, and for less while strangers crowd each other out. A stranger's whole session is
// bounded too, so that one who sends a byte now and then holds no place for ever.

export interface PatienceOptions {
  /** How long an authenticated client may be silent, in milliseconds. */
  readonly idleMs: number;
  /** The port takes reports from strangers, who may need longer for them. */
  readonly takesReports: boolean;
  /** Strangers crowd each other out. */
  readonly isStressed: () => boolean;
}

const STRANGER_IDLE_MS = 60_000;
const STRESSED_IDLE_MS = 10_000;
const STRANGER_MS = 2 * 60_000;
const REPORTER_MS = 15 * 60_000;
const STRESSED_MS = 30_000;

export class Patience {
  readonly #options: PatienceOptions;
  #standing: "stranger" | "reporter" | "customer" = "stranger";
  #deadline: NodeJS.Timeout | undefined;
  /**
   * The length of the client's silence when it was last looked at, and the bytes that the client
   * had sent by then.
   */
  #silence = { ms: 0, bytes: 0 };

  constructor(options: PatienceOptions) {
    this.#options = options;
  }

  /**
   * After so many milliseconds a silence is looked at. A stranger's is looked at early, so that
   * stress shortens one that has begun.
   */
  get idleMs(): number {
    return this.#standing === "customer"
      ? this.#options.idleMs
      : Math.min(this.#options.idleMs, STRESSED_IDLE_MS);
  }

  /**
   * True: a client that was silent for another `idleMs` may stay so. `bytes`: the count that it has
   * sent so far.
   */
  bears(bytes: number): boolean {
    if (this.#standing === "customer") return false;
    const longest = Math.min(this.#options.idleMs, STRANGER_IDLE_MS);
    const before = this.#silence.bytes === bytes ? this.#silence.ms : 0;
    this.#silence = { ms: before + this.idleMs, bytes };
    return this.#silence.ms < longest && !this.#isShort;
  }

  /** Calls `onEnd` when the session has taken too long without authentication. */
  begin(onEnd: () => void, left = this.#options.takesReports ? REPORTER_MS : STRANGER_MS): void {
    const wait = Math.min(left, STRESSED_MS);
    this.#deadline = setTimeout(() => {
      if (wait >= left || this.#isShort) onEnd();
      else this.begin(onEnd, left - wait);
    }, wait);
  }

  /** The client named a genuine return-path: stress does not shorten its session. */
  growForReport(): void {
    if (this.#standing === "stranger") this.#standing = "reporter";
  }

  /** The client has authenticated: its session may last. */
  growForCustomer(): void {
    this.#standing = "customer";
    this.end();
  }

  end(): void {
    clearTimeout(this.#deadline);
  }

  get #isShort(): boolean {
    return this.#standing === "stranger" && this.#options.isStressed();
  }
}
