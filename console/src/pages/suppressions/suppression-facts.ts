// Names the reasons and topics of suppressions. Pure.

interface Facts {
  readonly email: string;
  readonly topic: string;
  readonly reason: "permanent_bounce" | "complaint" | "unsubscribed" | "manual";
}

export const REASON_NAMES: Readonly<Record<Facts["reason"], string>> = {
  permanent_bounce: "Bounced for good",
  complaint: "Complained",
  unsubscribed: "Unsubscribed",
  manual: "By hand",
};

/** Returns the words of a topic; `*` is every topic. */
export function topicWords(topic: string): string {
  return topic === "*" ? "every topic" : topic;
}

/** Says what was lifted. */
export function liftedWords({ email, topic }: Facts): string {
  return `${email} gets mail of ${topicWords(topic)} again.`;
}

/**
 * Tells whether a path can name the topic. Programs take `.` and `..` out of a path, and a request
 * would then be about all topics of the address.
 */
export function canBeNamed(topic: string): boolean {
  return topic !== "." && topic !== "..";
}
