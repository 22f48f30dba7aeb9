// The tones of statuses: the meaning of each tone, and the tone of each status of the API.

export type Tone = "ok" | "wait" | "bad" | "spam" | "see" | "mute";

const TONES: Readonly<Record<string, Tone>> = {
  delivered: "ok",
  verified: "ok",
  active: "ok",
  done: "ok",
  delayed: "wait",
  pending: "wait",
  scheduled: "wait",
  running: "wait",
  paused: "wait",
  bounced: "bad",
  missing: "bad",
  mismatch: "bad",
  disabled: "bad",
  failed: "bad",
  complained: "spam",
  sent: "see",
  opened: "see",
  clicked: "see",
};

/** Returns the tone of an API status, with or without the prefix `email.`. */
export function toneOf(status: string): Tone {
  return TONES[status.replace(/^email\./, "")] ?? "mute";
}
