// How long each step of a delivery may take. Shorter than RFC 5321 §4.5.3.2 has it, because a
// worker waits for the outcome.
import type { SmtpTimeouts } from "../smtp/smtp-connection.ts";

/** Milliseconds. */
export interface Timeouts extends SmtpTimeouts {
  /** How long a connection rests between two messages. */
  readonly idle: number;
  /** How long a message waits for a connection to be free. */
  readonly wait: number;
}

export const TIMEOUTS: Timeouts = {
  connect: 30_000,
  greeting: 60_000,
  command: 60_000,
  data: 60_000,
  block: 120_000,
  final: 300_000,
  idle: 5_000,
  wait: 120_000,
  quit: 2_000,
};
