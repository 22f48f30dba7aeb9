// Plans how the mail server of a round treats its recipients and its connections. The addresses say
// it, so that the server needs no plan. Pure.
import type { Chance } from "./chance.ts";

/**
 * A server treats a used connection like a fresh one, or as still in the transaction whose message
 * it refused until RSET comes, or as used up by one message.
 */
export type ServerHabit = "polite" | "keeps_open" | "one_message";

export const DOMAIN = "chaos.example";
const POLITE_DOMAINS = 7;
/**
 * The prefix of an address decides what becomes of its mail: its server accepts, refuses the
 * address, refuses the message, or defers the first attempt.
 */
const PREFIXES = ["ok", "ok", "ok", "ok", "ok", "bad", "full", "grey"] as const;
/** Replies to the second MAIL of a connection. */
const ONE_MESSAGE_CODES = [503, 550, 554, 452] as const;
const HABITS: readonly ServerHabit[] = [
  "polite",
  "polite",
  "keeps_open",
  "keeps_open",
  "one_message",
];
const HABIT = /@(?:(open)|one-(\d{3}))-\d+\./;

/** Plans the habit of a round's server. */
export function planHabit(chance: Chance): ServerHabit {
  return chance.one("habit", HABITS);
}

/** Returns an address that no other message has. */
export function planAddress(chance: Chance, habit: ServerHabit, round: number, of: string): string {
  // A server that keeps transactions open has some to keep.
  const prefixes = habit === "keeps_open" ? ([...PREFIXES, "full", "full"] as const) : PREFIXES;
  return `${chance.one("server", prefixes)}-${of}@${domainOf(habit, round)}.${DOMAIN}`;
}

/** A server with a habit has a domain in each round, so that its clients do not know it yet. */
function domainOf(habit: ServerHabit, round: number): string {
  if (habit === "keeps_open") return `open-${round}`;
  if (habit === "one_message")
    return `one-${ONE_MESSAGE_CODES[round % ONE_MESSAGE_CODES.length]}-${round}`;
  return `d${round % POLITE_DOMAINS}`;
}

/**
 * Returns the habit of a recipient's server, and its reply to each MAIL but a connection's first.
 */
export function habitOf(address: string): { habit: ServerHabit; toSecond: string | null } {
  const [, open, code] = HABIT.exec(address) ?? [];
  if (open) return { habit: "keeps_open", toSecond: null };
  if (!code) return { habit: "polite", toSecond: null };
  return { habit: "one_message", toSecond: `${code} ${code[0]}.5.1 one message a connection` };
}
