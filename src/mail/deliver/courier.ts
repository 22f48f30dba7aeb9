// The seam between the pipeline and whatever carries mail away (design.md section 5).
import type { Outcome } from "../message.ts";

/** One composed copy and its envelope. */
export interface Parcel {
  /** `<email id>/<recipient index>/<attempt>`: a courier that has seen a key before repeats its outcome instead of its transaction. */
  readonly key: string;
  readonly mailFrom: string;
  readonly rcptTo: string;
  /** Named IP pool, or null for the default one. */
  readonly pool: string | null;
  /** The whole message, signed, CRLF line ends, not dot-stuffed. */
  readonly bytes: Uint8Array;
}

/** Carries parcels; calls `onOutcome` once for each, as it is known and in any order. Never throws: what went wrong is an outcome. */
export type Courier = (parcels: readonly Parcel[], onOutcome: (parcel: Parcel, outcome: Outcome) => void) => Promise<void>;
