// The language of status: a tone by its meaning, and the tone of each status of the API.

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

/** Returns the tone of a status as the API writes it, with or without `email.`. */
export function toneOf(status: string): Tone {
  return TONES[status.replace(/^email\./, "")] ?? "mute";
}
