// Says why an address is suppressed, what for, and what lifting does. Pure.

import type { Suppression } from "../../../../packages/postern/src/generated/types.ts";

export const REASON_NAMES: Readonly<Record<Suppression["reason"], string>> = {
  permanent_bounce: "Permanent bounce",
  complaint: "Spam complaint",
  unsubscribed: "Unsubscribed",
  manual: "Added manually",
};

/** Returns the name of a reason; one that is new to the console stands for itself. */
export function reasonName(reason: string): string {
  const names: Readonly<Record<string, string>> = REASON_NAMES;
  return names[reason] ?? reason;
}

interface Covered {
  readonly email: string;
  readonly topic: string;
}

/** Returns the words of a topic; `*` is every topic. */
export function topicText(topic: string): string {
  return topic === "*" ? "All topics" : topic;
}

/** Says that a suppression is about to be lifted, that it is, and that it could not be. */
export function liftText({ email, topic }: Covered) {
  const what = topic === "*" ? email : `${email} for topic ${topic}`;
  return {
    title: `The suppression of ${what} will be lifted`,
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
