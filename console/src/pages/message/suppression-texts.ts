// Describes a suppression: its reason, its topic, and the effect of lifting it. Pure.

import type { Suppression } from "../../../../packages/postern/src/generated/types.ts";

export const REASON_NAMES: Readonly<Record<Suppression["reason"], string>> = {
  permanent_bounce: "Permanent bounce",
  complaint: "Spam complaint",
  unsubscribed: "Unsubscribed",
  manual: "Added manually",
};

/** Returns the name of a reason, or the reason itself if the console does not know it. */
export function reasonName(reason: string): string {
  const names: Readonly<Record<string, string>> = REASON_NAMES;
  return names[reason] ?? reason;
}

export function topicText(topic: string): string {
  return topic === "*" ? "All topics" : topic;
}

/**
 * Returns the texts for a suppression: before it is lifted, after it is lifted, and after a
 * failure.
 */
export function liftText({ email, topic }: Pick<Suppression, "email" | "topic">) {
  const what = topic === "*" ? email : `${email} for topic ${topic}`;
  return {
    title: `The suppression of ${what} will be lifted`,
    done: `${what} is no longer suppressed.`,
    failed: `${what} is still suppressed.`,
  };
}

/**
 * Tells whether a URL path can contain the topic. HTTP clients remove `.` and `..` from paths. A
 * request with such a topic would lift the suppressions of all topics.
 */
export function canBeNamed(topic: string): boolean {
  return topic !== "." && topic !== "..";
}
