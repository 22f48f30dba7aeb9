// Says why an address is suppressed, and what lifting that means. Pure.

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

/** Says what follows if an automatic suppression is lifted. */
export function liftWarning({ reason, topic }: Facts): string {
  switch (reason) {
    case "permanent_bounce":
      return "A server refused this address for good. The next message to it is tried; if it is refused again, the address is suppressed again, and the refusal counts against your reputation.";
    case "complaint":
      return "The owner of this address reported a message as spam. Mail to it again only if they asked you to: another report counts against your reputation.";
    case "unsubscribed":
      return `The owner of this address unsubscribed from ${topicWords(topic)}. Mail to it again only if they asked you to.`;
    case "manual":
      return "The next message to this address is tried.";
  }
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
