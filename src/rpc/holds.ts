// A hold: a provider rejects all copies of a sending domain, or of the whole account
// (docs/architecture.md §Hold). A hold lasts until the operator fixes its cause, or until a quota
// is renewed. Couriers detect holds. Ledgers do not release mail that a hold blocks.

/**
 * Reasons for a hold. `not_onboarded`: the provider does not know the domain's exact name.
 * `sending_disabled`: the provider switched sending off. `not_entitled`: the account's plan does
 * not include sending. `quota_used_up`: the account has no daily quota left. `unknown_words`: the
 * provider refused several copies in a row with the same text, which the service does not know.
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
  /**
   * `domain`: the provider rejects copies of one sending domain. `account`: it rejects all copies
   * of the account.
   */
  readonly scope: "domain" | "account";
  readonly code: HoldCode;
  /** The provider's error text on one line, at most 500 characters, without addresses and keys. */
  readonly message: string;
}

/** A hold that is in force. */
export interface ActiveHold extends Hold {
  /** When the provider refused the first copy, Unix milliseconds. */
  readonly since: number;
}

/**
 * A hold that is in force, with its sending domain. `domain` null: the hold is on the whole
 * account.
 */
export interface NamedHold extends ActiveHold {
  readonly domain: string | null;
}

/** Asks whether a ledger may send one copy to test whether the account's hold is over. */
export interface ProbeRequest {
  readonly hold: ActiveHold;
  /** When the provider last refused a copy of this ledger, Unix milliseconds. */
  readonly refusedAt: number;
}

/**
 * `free`: the hold is over. `probe`: the ledger may release one copy as a test. `wait`: the ledger
 * must ask again.
 */
export type ProbePermit =
  | { readonly kind: "free" | "probe" }
  | { readonly kind: "wait"; readonly waitMs: number };

/** A hold that a consumer reports to the ledger, because the provider rejected a copy. */
export interface ObservedHold extends Hold {
  /**
   * When the provider refused the copy, Unix milliseconds. If an earlier refusal had revealed the
   * hold, so that the copy was not offered, the time of that refusal.
   */
  readonly refusedAt: number;
}
