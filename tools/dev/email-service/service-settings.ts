// The settings of the double of the Email Service. A person or a test sets them over HTTP. They
// survive a restart.
import { Problem } from "../http-server.ts";
import { StateMirror } from "./state-mirror.ts";

const ATTEMPTS = 7;
const ATTEMPTS_MAX = 100;

export interface ServiceSettings {
  /**
   * Decides about a message with a Date or Message-ID: `refuse` throws E_HEADER_NOT_ALLOWED, and
   * `replace` replaces both fields.
   */
  readonly date_and_message_id: "refuse" | "replace";
  /**
   * Decides about a message to a suppressed recipient: `throw` throws E_RECIPIENT_SUPPRESSED, and
   * `event` accepts the message and publishes a `rejected` event.
   */
  readonly suppressed: "throw" | "event";
  /** The onboarded sending domains. Null means that every domain is onboarded. */
  readonly domains: readonly string[] | null;
  /** Maximum of messages on a UTC day. Null means no limit. */
  readonly daily_limit: number | null;
  /** Maximum of requests in a second. Null means no limit. */
  readonly rate_limit: number | null;
  /** Maximum of delivery attempts, if the recipient's server defers the message each time. */
  readonly attempts: number;
}

const DEFAULTS: ServiceSettings = {
  date_and_message_id: "refuse",
  suppressed: "throw",
  domains: null,
  daily_limit: null,
  rate_limit: null,
  attempts: ATTEMPTS,
};

export class StoredSettings {
  readonly #file: StateMirror;
  #settings: ServiceSettings = DEFAULTS;

  constructor(path: string) {
    this.#file = new StateMirror(path, () => this.#settings);
    const kept = this.#file.read() as Record<string, unknown> | undefined;
    if (kept) this.#settings = parseSettings(kept);
  }

  get current(): ServiceSettings {
    return this.#settings;
  }

  /** Replaces all settings. A setting that is absent gets its default. Throws a 400 Problem. */
  replace(settings: Record<string, unknown>): void {
    this.#settings = parseSettings(settings);
    this.#file.keep();
  }
}

function parseSettings(given: Record<string, unknown>): ServiceSettings {
  for (const member of Object.keys(given))
    if (!(member in DEFAULTS)) throw new Problem(400, `${member}: is not a setting`);
  const settings = { ...DEFAULTS, ...given };
  checkWord(settings, "date_and_message_id", ["refuse", "replace"]);
  checkWord(settings, "suppressed", ["throw", "event"]);
  checkCount(settings, "daily_limit", true);
  checkCount(settings, "rate_limit", true);
  checkCount(settings, "attempts", false, ATTEMPTS_MAX);
  const { domains } = settings;
  const isList =
    domains === null ||
    (Array.isArray(domains) && domains.every((domain: unknown) => typeof domain === "string"));
  if (!isList) throw new Problem(400, "domains: is not null or a list of domains");
  return { ...settings, domains: domains?.map((domain) => domain.toLowerCase()) ?? null };
}

function checkWord(
  settings: ServiceSettings,
  member: keyof ServiceSettings,
  words: readonly string[],
): void {
  if (!words.includes(settings[member] as string))
    throw new Problem(400, `${member}: is not one of ${words.join(", ")}`);
}

function checkCount(
  settings: ServiceSettings,
  member: keyof ServiceSettings,
  mayBeNull: boolean,
  max = Number.MAX_SAFE_INTEGER,
): void {
  const value = settings[member];
  if (mayBeNull && value === null) return;
  const least = mayBeNull ? 0 : 1;
  if (!Number.isSafeInteger(value) || (value as number) < least || (value as number) > max)
    throw new Problem(400, `${member}: is not a whole number from ${least} to ${max}`);
}
