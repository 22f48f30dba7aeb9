// The settings of the double of the Email Service. A person or a test sets them over HTTP. They
// survive a restart.
import type * as z from "zod";
import { type PlatformSwitch, readSwitches } from "../platform/switches.ts";
import { listOf, membersOf, oneOf, readValue, wholeNumber } from "../set-values.ts";
import { StateMirror } from "../state-file.ts";

const ATTEMPTS = 7;
const ATTEMPTS_MAX = 100;

const lowerCase = (texts: readonly string[]): string[] => texts.map((text) => text.toLowerCase());

const ServiceSettings = membersOf(
  {
    /**
     * Decides about a message with a Date or Message-ID: `refuse` throws E_HEADER_NOT_ALLOWED, and
     * `replace` replaces both fields.
     */
    date_and_message_id: oneOf(["refuse", "replace"]).default("refuse"),
    /**
     * Decides about a message to a suppressed recipient: `throw` throws E_RECIPIENT_SUPPRESSED, and
     * `event` accepts the message and publishes a `rejected` event.
     */
    suppressed: oneOf(["throw", "event"]).default("throw"),
    /**
     * The domains that may send. Null means every domain. With `exact_names`, null means each
     * onboarded domain.
     */
    domains: listOf("domains").transform(lowerCase).nullable().default(null),
    /** Maximum number of messages on a UTC day. Null means no limit. */
    daily_limit: wholeNumber(0).nullable().default(null),
    /** Maximum number of requests in a second. Null means no limit. */
    rate_limit: wholeNumber(0).nullable().default(null),
    /** Maximum number of delivery attempts if the recipient's server always defers. */
    attempts: wholeNumber(1, ATTEMPTS_MAX).default(ATTEMPTS),
    /** The addresses that are verified destinations of the account's Email Routing. */
    verified_destinations: listOf("addresses").transform(lowerCase).default([]),
    /** Switches of docs/real-platform.md. The switches of the runtime have no effect here. */
    platform: listOf("switches").transform((names, context) => {
      const switches = readSwitches(names.join(","));
      if (!("unknown" in switches)) return switches;
      context.addIssue(`${switches.unknown} is not a switch`);
      return [];
    }),
  },
  "is not a setting",
);

export type ServiceSettings = z.infer<typeof ServiceSettings>;

export class StoredSettings {
  readonly #file: StateMirror;
  readonly #platform: readonly PlatformSwitch[];
  #settings: ServiceSettings;

  /** `platform` has the switches that are on by default. The settings can change them. */
  constructor(path: string, platform: readonly PlatformSwitch[] = []) {
    this.#file = new StateMirror(path, () => this.#settings);
    this.#platform = platform;
    const kept = this.#file.read() as Record<string, unknown> | undefined;
    // Each start of the stack sets the switches anew.
    this.#settings = readValue(ServiceSettings, { ...kept, platform });
  }

  get current(): ServiceSettings {
    return this.#settings;
  }

  /** Replaces all settings; absent ones get defaults. Throws a 400 Problem for an invalid one. */
  replace(settings: Record<string, unknown>): void {
    this.#settings = readValue(ServiceSettings, { platform: this.#platform, ...settings });
    this.#file.keep();
  }

  isOn(name: PlatformSwitch): boolean {
    return this.#settings.platform.includes(name);
  }

  /** Tells whether mail to the address is free, does not count, and has no events. */
  isSilent(address: string): boolean {
    const { verified_destinations: destinations } = this.#settings;
    return this.isOn("silent_destinations") && destinations.includes(address.toLowerCase());
  }
}
