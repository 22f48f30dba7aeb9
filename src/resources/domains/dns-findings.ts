// Shapes what DNS answered for people: as the values of an answer, and in the words of a message.
// Pure.
import type { DnsLookup } from "./resolver.ts";

/** A judgement of one of the domain's policies: SPF, DMARC, MTA-STS or BIMI. */
export interface PolicyJudgement {
  readonly status: "ok" | "warn" | "missing" | "wrong" | "unknown";
  /** Name of the record that counts, or of the one to publish. */
  readonly host: string;
  /** All TXT records at that name. */
  readonly found: readonly string[];
  /** Sentences that tell what is there, and what to do. */
  readonly message: string;
}

/** One name that was looked up for its TXT records. */
export interface TextsAt {
  readonly host: string;
  readonly lookup: DnsLookup;
}

const SHOWN_VALUES = 20;
const SHOWN_VALUE_CHARACTERS = 1_024;
const MESSAGE_CHARACTERS = 255;

/** Advice for a name that DNS gave no answer for. */
export const ASK_AGAIN =
  "Ask again in a minute. If it stays so, the name servers of the zone need a look.";

/** Returns the values of an answer. A zone may hold any number of any length, so both are bounded. */
export function foundIn(lookup: DnsLookup): string[] {
  return lookup.kind === "answer" ? shownValues(lookup.values) : [];
}

export function shownValues(values: readonly string[]): string[] {
  return values
    .slice(0, SHOWN_VALUES)
    .map((value) =>
      value.length > SHOWN_VALUE_CHARACTERS ? `${value.slice(0, SHOWN_VALUE_CHARACTERS)}…` : value,
    );
}

/** Makes a foreign text fit for a message: printable ASCII of limited length. */
export function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?").slice(0, MESSAGE_CHARACTERS);
}

/** Judges a name that DNS gave no answer for. */
export function unknownPolicy(
  host: string,
  { reason }: Extract<DnsLookup, { kind: "failed" }>,
): PolicyJudgement {
  const message = `DNS could not be queried for ${host}: ${printable(reason)}. ${ASK_AGAIN}`;
  return { status: "unknown", host, found: [], message };
}
