// Formats DNS answers as values in a response, and as parts of sentences. Pure.
import { type DnsLookup, valuesIn } from "./resolver.ts";

export const POLICY_STATUSES = ["ok", "warn", "missing", "wrong", "unknown"] as const;
type PolicyStatus = (typeof POLICY_STATUSES)[number];

/** The judgement of one of the domain's policies: SPF, DMARC, MTA-STS or BIMI. */
export interface PolicyJudgement {
  readonly status: PolicyStatus;
  /** The name of the record that receivers use or, if they use none, of the record to publish. */
  readonly host: string;
  /** All TXT records at `host`. */
  readonly found: readonly string[];
  /** Sentences that describe the record in DNS, and the change to make. */
  readonly message: string;
}

/** The part of a judgement that does not depend on the record's place. */
export type Judged = Pick<PolicyJudgement, "status" | "message">;

/** A name whose TXT records were looked up. */
export interface TextsAt {
  readonly host: string;
  readonly lookup: DnsLookup;
}

const SHOWN_VALUES = 20;
const SHOWN_VALUE_CHARACTERS = 1_024;
const MESSAGE_CHARACTERS = 255;

/** The advice for a name about which DNS did not answer. */
export const ASK_AGAIN =
  "Ask again in a minute. If DNS still gives no answer, check the name servers of the zone.";

/**
 * Returns the values of an answer. Limits their number and length, because a zone may have any
 * number of values of any length.
 */
export function dnsValuesOf(lookup: DnsLookup): string[] {
  return shownValues(valuesIn(lookup));
}

export function shownValues(values: readonly string[]): string[] {
  return values
    .slice(0, SHOWN_VALUES)
    .map((value) =>
      value.length > SHOWN_VALUE_CHARACTERS ? `${value.slice(0, SHOWN_VALUE_CHARACTERS)}…` : value,
    );
}

/** Makes a text from a foreign zone safe to show: printable ASCII of limited length. */
export function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?").slice(0, MESSAGE_CHARACTERS);
}

/** Makes a finding from its message: `judged.wrong("...")`. */
export const judged = Object.fromEntries(
  POLICY_STATUSES.map((status) => [status, (message: string) => ({ status, message })]),
) as Readonly<Record<PolicyStatus, (message: string) => Judged>>;

/** Makes the judgement of a name about which DNS did not answer. */
export function unknownPolicy(
  host: string,
  { reason }: Extract<DnsLookup, { kind: "failed" }>,
): PolicyJudgement {
  const message = `DNS could not be queried for ${host}: ${printable(reason)}. ${ASK_AGAIN}`;
  return { status: "unknown", host, found: [], message };
}
