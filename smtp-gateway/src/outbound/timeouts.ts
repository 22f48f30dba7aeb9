// Timeouts of a delivery's steps. They are shorter than in RFC 5321 §4.5.3.2, because a worker
// waits for the outcome.
import type { SmtpTimeouts } from "../smtp/smtp-connection.ts";

/** Milliseconds. */
export interface Timeouts extends SmtpTimeouts {
  /** Longest rest of a connection between two messages. */
  readonly idle: number;
  /** Longest wait of a message for a free connection. */
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
