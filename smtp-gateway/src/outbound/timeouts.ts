// How long each stage of a delivery may take (RFC 5321 section 4.5.3.2, shortened: a worker waits
// for the answer).

/** Milliseconds. */
export interface Timeouts {
  /** TCP, each address. */
  readonly connect: number;
  readonly greeting: number;
  /** The reply to a command, and a TLS handshake. */
  readonly command: number;
  /** The reply to DATA. */
  readonly data: number;
  /** Each 64 KB of a message on its way out. */
  readonly block: number;
  /** The reply to the final dot. */
  readonly final: number;
  /** How long a connection rests between two messages. */
  readonly idle: number;
  /** How long a message waits for a connection to be free. */
  readonly wait: number;
  /** The reply to QUIT. */
  readonly quit: number;
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
