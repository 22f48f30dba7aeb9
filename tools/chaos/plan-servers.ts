// Plans how the mail server of a round treats its recipients and its connections. The addresses say
// it, so that the server needs no plan. Pure.
import { Chance } from "./chance.ts";

/**
 * A server treats a used connection like a fresh one, or as still in the transaction whose message
 * it refused until RSET comes, or as used up by one message. Or it is silent for long behind most
 * final dots.
 */
export type ServerHabit = "polite" | "keeps_open" | "one_message" | "silent";

export const DOMAIN = "chaos.example";
const POLITE_DOMAINS = 7;
/**
 * The prefix of an address decides what becomes of its mail: its server accepts, accepts behind a
 * long silence, refuses the address, refuses the message, or defers the first attempt.
 */
const PREFIXES = ["ok", "ok", "ok", "ok", "ok", "late", "bad", "full", "grey"] as const;
/** A server with this habit has some such mail. */
const MORE_PREFIXES: Partial<Record<ServerHabit, readonly (typeof PREFIXES)[number][]>> = {
  keeps_open: ["full", "full"],
  silent: ["late", "late", "late", "late", "late", "late"],
};
/**
 * Number of servers that are silent in a round. With fewer, the messages would wait for each
 * other's connections.
 */
const SILENT_SERVERS = 4;
/** Longer than a consumer stays, shorter than the gateway waits for the reply to a final dot. */
const SILENCE_MS = [1_200, 2_200] as const;
/** Replies to the second MAIL of a connection. */
const ONE_MESSAGE_CODES = [503, 550, 554, 452] as const;
const HABITS: readonly ServerHabit[] = [
  "polite",
  "keeps_open",
  "keeps_open",
  "silent",
  "silent",
  "one_message",
];
/** The providers of the mail servers, by what follows a domain in its server's name. */
const PROVIDERS = [
  { name: "other", suffix: "" },
  { name: "google", suffix: ".google.com" },
  { name: "microsoft", suffix: ".mx.microsoft" },
] as const;
/** The server's addresses, each in a block of its own: a block is one destination of a gateway. */
export const ADDRESSES = Array.from({ length: 61 }, (_, block) => `127.0.${block}.1`);
const HABIT = /@(?:(open)|one-(\d{3}))-\d+\./;

/** Plans the habit of a round's server. */
export function planHabit(chance: Chance): ServerHabit {
  return chance.one("habit", HABITS);
}

/** Returns an address that no other message has. */
export function planAddress(chance: Chance, habit: ServerHabit, round: number, of: string): string {
  const prefix = chance.one("server", [...PREFIXES, ...(MORE_PREFIXES[habit] ?? [])]);
  const domain =
    prefix === "late"
      ? `silent-${round}-${chance.between("silent", 1, SILENT_SERVERS)}`
      : domainOf(habit, round);
  return `${prefix}-${of}@${domain}.${DOMAIN}`;
}

/** A server with a habit has a domain in each round, so that its clients do not know it yet. */
function domainOf(habit: ServerHabit, round: number): string {
  if (habit === "keeps_open") return `open-${round}`;
  if (habit === "one_message")
    return `one-${ONE_MESSAGE_CODES[round % ONE_MESSAGE_CODES.length]}-${round}`;
  return `d${round % POLITE_DOMAINS}`;
}

/** Returns the name of a domain's mail server. */
export function mailServerOf(domain: string): string {
  return `mx.${domain}${placeOf(domain).suffix}`;
}

/** Returns the address of a mail server: most have a block of their own. */
export function addressOf(server: string): string {
  let hash = 0;
  for (const character of server) hash = (hash * 31 + character.charCodeAt(0)) % ADDRESSES.length;
  return ADDRESSES[hash]!;
}

/** Returns the provider to which the service counts what a recipient's mail server replies. */
export function providerOf(recipient: string): string {
  return placeOf(recipient.slice(recipient.lastIndexOf("@") + 1)).name;
}

function placeOf(domain: string): (typeof PROVIDERS)[number] {
  const [, digit = 0] = /(\d)\./.exec(domain) ?? [];
  return PROVIDERS[Number(digit) % PROVIDERS.length]!;
}

/** Milliseconds for which a recipient's server is silent behind a final dot. */
export function silenceOf(address: string): number {
  return address.startsWith("late-") ? new Chance(address).between("silence", ...SILENCE_MS) : 0;
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
