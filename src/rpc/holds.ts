// A provider may take no copies at all of a sending domain, or of the whole account, until the
// operator mends the cause or a quota returns (docs/architecture.md §Hold). The couriers find such
// a hold, and the ledgers keep its mail back.

/**
 * Reasons for a hold. `not_onboarded`: the provider does not know the domain's exact name.
 * `sending_disabled`: the provider switched sending off. `not_entitled`: the account's plan does not
 * include sending. `quota_used_up`: the account's daily quota. `unknown_words`: the provider refused
 * several copies in a row with the same unknown words.
 */
export const HOLD_CODES = [
  "not_onboarded",
  "sending_disabled",
  "not_entitled",
  "quota_used_up",
  "unknown_words",
] as const;

export type HoldCode = (typeof HOLD_CODES)[number];

export interface Hold {
  /** The provider takes no copies of the copy's sending domain, or of any domain of the account. */
  readonly scope: "domain" | "account";
  readonly code: HoldCode;
  /** The provider's words on one line, at most 500 characters, without addresses and keys. */
  readonly message: string;
}

/** A hold that is in force. */
export interface ActiveHold extends Hold {
  /** When the provider refused the first copy, Unix milliseconds. */
  readonly since: number;
}

/** A hold in force with the name of its sending domain; null: the whole account. */
export interface NamedHold extends ActiveHold {
  readonly domain: string | null;
}

/** Asks whether a ledger may probe the held account. */
export interface ProbeRequest {
  readonly hold: ActiveHold;
  /** When the provider last refused a copy of this ledger, Unix milliseconds. */
  readonly refusedAt: number;
}

/** `free`: the hold is over. `probe`: the ledger may offer one copy. `wait`: it asks again later. */
export type ProbePermit =
  | { readonly kind: "free" | "probe" }
  | { readonly kind: "wait"; readonly waitMs: number };

/** A hold as a consumer reports it to the ledger with a copy that was not taken. */
export interface ObservedHold extends Hold {
  /** When the provider refused a copy, Unix milliseconds. It may have been an earlier copy. */
  readonly refusedAt: number;
}
