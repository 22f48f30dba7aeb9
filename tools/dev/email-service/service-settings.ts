// The settings of the double of the Email Service. A person or a test sets them over HTTP. They
// survive a restart.
import { Problem } from "../http-server.ts";
import { readSwitches, type PlatformSwitch } from "../platform/switches.ts";
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
  /**
   * The domains that may send. Null means every domain or, with `exact_names`, each domain that was
   * onboarded.
   */
  readonly domains: readonly string[] | null;
  /** Maximum of messages on a UTC day. Null means no limit. */
  readonly daily_limit: number | null;
  /** Maximum of requests in a second. Null means no limit. */
  readonly rate_limit: number | null;
  /** Maximum of delivery attempts, if the recipient's server defers the message each time. */
  readonly attempts: number;
  /** The addresses that are verified destinations of the account's Email Routing. */
  readonly verified_destinations: readonly string[];
  /** Switches of docs/real-platform.md. Those of the runtime do nothing here. */
  readonly platform: readonly PlatformSwitch[];
}

const DEFAULTS: ServiceSettings = {
  date_and_message_id: "refuse",
  suppressed: "throw",
  domains: null,
  daily_limit: null,
  rate_limit: null,
  attempts: ATTEMPTS,
  verified_destinations: [],
  platform: [],
};

export class StoredSettings {
  readonly #file: StateMirror;
  readonly #defaults: ServiceSettings;
  #settings: ServiceSettings;

  /** `platform`: the switches that are on unless the settings say otherwise. */
  constructor(path: string, platform: readonly PlatformSwitch[] = []) {
    this.#file = new StateMirror(path, () => this.#settings);
    this.#defaults = { ...DEFAULTS, platform };
    const kept = this.#file.read() as Record<string, unknown> | undefined;
    // Each start of the stack chooses the switches anew.
    this.#settings = parseSettings({ ...kept, platform }, this.#defaults);
  }

  get current(): ServiceSettings {
    return this.#settings;
  }

  /** Replaces all settings. A setting that is absent gets its default. Throws a 400 Problem. */
  replace(settings: Record<string, unknown>): void {
    this.#settings = parseSettings(settings, this.#defaults);
    this.#file.keep();
  }

  isOn(name: PlatformSwitch): boolean {
    return this.#settings.platform.includes(name);
  }

  /** Tells whether mail to the address is free, uncounted and without events. */
  isSilent(address: string): boolean {
    const { verified_destinations: destinations } = this.#settings;
    return this.isOn("silent_destinations") && destinations.includes(address.toLowerCase());
  }
}

function parseSettings(given: Record<string, unknown>, defaults: ServiceSettings): ServiceSettings {
  for (const member of Object.keys(given))
    if (!(member in defaults)) throw new Problem(400, `${member}: is not a setting`);
  const settings = { ...defaults, ...given };
  checkWord(settings, "date_and_message_id", ["refuse", "replace"]);
  checkWord(settings, "suppressed", ["throw", "event"]);
  checkCount(settings, "daily_limit", true);
  checkCount(settings, "rate_limit", true);
  checkCount(settings, "attempts", false, ATTEMPTS_MAX);
  const { domains, verified_destinations: destinations, platform } = settings;
  if (domains !== null && !isTexts(domains))
    throw new Problem(400, "domains: is not null or a list of domains");
  if (!isTexts(destinations))
    throw new Problem(400, "verified_destinations: is not a list of addresses");
  if (!isTexts(platform)) throw new Problem(400, "platform: is not a list of switches");
  const switches = readSwitches(platform.join(","));
  if ("unknown" in switches)
    throw new Problem(400, `platform: ${switches.unknown} is not a switch`);
  return {
    ...settings,
    domains: domains?.map((domain) => domain.toLowerCase()) ?? null,
    verified_destinations: destinations.map((address) => address.toLowerCase()),
    platform: switches,
  };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one: unknown) => typeof one === "string");
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
