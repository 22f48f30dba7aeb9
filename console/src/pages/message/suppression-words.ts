// Says what a suppression covers, and what lifting it does. Pure.

interface Covered {
  readonly email: string;
  readonly topic: string;
}

/** Returns the words of a topic; `*` is every topic. */
export function topicWords(topic: string): string {
  return topic === "*" ? "all topics" : topic;
}

/** Says that a suppression is about to be lifted, that it is, and that it could not be. */
export function liftWords({ email, topic }: Covered) {
  const what = topic === "*" ? email : `${email} for ${topic}`;
  return {
    title: `Lifting the suppression of ${what}`,
    done: `${what} is no longer suppressed.`,
    failed: `${what} is still suppressed.`,
  };
}

/**
 * Tells whether a path can name the topic. Programs take `.` and `..` out of a path, and a request
 * would then be about all topics of the address.
 */
export function canBeNamed(topic: string): boolean {
  return topic !== "." && topic !== "..";
}
