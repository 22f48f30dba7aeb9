// Says why an address is suppressed, for which topics and how long. Pure.
import { formatDay, type Part } from "./phrase.ts";

/** The members of a suppression that the words need, as the API writes them. */
export interface SuppressionFacts {
  readonly topic: string;
  readonly reason: string;
  readonly classification: string | null;
  readonly suppressed_at: string;
  readonly expires_at: string | null;
}

const REASONS: Readonly<Record<string, string>> = {
  permanent_bounce: "an earlier message bounced for good",
  complaint: "its owner reported a message as spam",
  unsubscribed: "its owner unsubscribed",
  manual: "it was put on the list by hand",
};

/** Returns the reason as the end of a sentence that begins with "because". */
export function reasonWords(reason: string): string {
  return REASONS[reason] ?? reason.replaceAll("_", " ");
}

/** Returns those of an address's suppressions that stop a message of this topic. */
export function stopping<One extends SuppressionFacts>(
  suppressions: readonly One[],
  topic: string | null,
): One[] {
  return suppressions.filter(
    (one) => one.topic === "*" || one.topic === topic?.trim().toLowerCase(),
  );
}

/** Says that the address is suppressed: `The address is suppressed until 20 Feb 2027.` */
export function suppressedUntil({ topic, expires_at: end }: SuppressionFacts): Part[] {
  const until = end === null ? "for good" : `until ${formatDay(Date.parse(end))}`;
  return topic === "*"
    ? [`The address is suppressed ${until}.`]
    : [`The address is suppressed ${until} for the topic `, { code: topic }, "."];
}

/** Says since when and why: `Since 22 Nov 2026, because its owner unsubscribed.` */
export function suppressedBecause(suppression: SuppressionFacts): Part[] {
  const { reason, classification, suppressed_at: since } = suppression;
  const because = `Since ${formatDay(Date.parse(since))}, because ${reasonWords(reason)}`;
  return classification === null
    ? [`${because}.`]
    : [`${because} (`, { code: classification }, ")."];
}
