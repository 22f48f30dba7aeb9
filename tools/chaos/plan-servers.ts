// Plans how the mail server of a round treats its recipients and its connections. The addresses
// encode the plan, so the server needs no other data. Pure.
import { Chance } from "./chance.ts";

/**
 * A server's habit:
 * - `polite`: it treats a used connection like a new one.
 * - `keeps_open`: after it has refused a message, it keeps the transaction open until RSET.
 * - `one_message`: it accepts only one message over each connection.
 * - `silent`: after most final dots, it waits long before its reply.
 */
export type ServerHabit = "polite" | "keeps_open" | "one_message" | "silent";

export const DOMAIN = "chaos.example";
const POLITE_DOMAINS = 7;
/**
 * The prefixes of addresses. A prefix says how the server treats the address: accept, accept after
 * a long silence, refuse the address, refuse the message, or defer the first attempt.
 */
const PREFIXES = ["ok", "ok", "ok", "ok", "ok", "late", "bad", "full", "grey"] as const;
/** Prefixes that a server with this habit gets more often, so that its mail shows the habit. */
const MORE_PREFIXES: Partial<Record<ServerHabit, readonly (typeof PREFIXES)[number][]>> = {
  keeps_open: ["full", "full"],
  silent: ["late", "late", "late", "late", "late", "late"],
};
/**
 * The number of servers that are silent in a round. Messages would wait for a free connection if
 * there were only one server.
 */
const SILENT_SERVERS = 4;
/**
 * The least and the most milliseconds of a silence. Each silence is longer than a consumer's wait,
 * and shorter than the gateway's wait for the reply to a final dot.
 */
const SILENCE_MS = [1_200, 2_200] as const;
/** Codes of the replies to the second MAIL of a connection. */
const ONE_MESSAGE_CODES = [503, 550, 554, 452] as const;
const HABITS: readonly ServerHabit[] = [
  "polite",
  "keeps_open",
  "keeps_open",
  "silent",
  "silent",
  "one_message",
];
/** The providers of mail servers, and the endings of their servers' names. */
const PROVIDERS = [
  { name: "other", suffix: "" },
  { name: "google", suffix: ".google.com" },
  { name: "microsoft", suffix: ".mx.microsoft" },
] as const;
/**
 * Addresses of mail servers. Each is in its own block, because the gateway treats a block as one
 * destination.
 */
export const ADDRESSES = Array.from({ length: 61 }, (_, block) => `127.0.${block}.1`);
const HABIT = /@(?:(open)|one-(\d{3}))-\d+\./;

/** Plans the habit of a round's mail server. */
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

/**
 * Returns the domain of a server with this habit. A server that is not `polite` gets a new domain
 * in each round, so that no client has learned its habit.
 */
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

/** Returns the address of a mail server. Most servers have their own block. */
export function addressOf(server: string): string {
  let hash = 0;
  for (const character of server) hash = (hash * 31 + character.charCodeAt(0)) % ADDRESSES.length;
  return ADDRESSES[hash]!;
}

/** Returns the provider under which the service counts a recipient's mail server. */
export function providerOf(recipient: string): string {
  return placeOf(recipient.slice(recipient.lastIndexOf("@") + 1)).name;
}

function placeOf(domain: string): (typeof PROVIDERS)[number] {
  const [, digit = 0] = /(\d)\./.exec(domain) ?? [];
  return PROVIDERS[Number(digit) % PROVIDERS.length]!;
}

/** Returns the milliseconds for which a recipient's server is silent after a final dot. */
export function silenceOf(address: string): number {
  return address.startsWith("late-") ? new Chance(address).between("silence", ...SILENCE_MS) : 0;
}

/**
 * Returns the habit of a recipient's server, and its reply to every MAIL of a connection after the
 * first MAIL.
 */
export function habitOf(address: string): { habit: ServerHabit; toSecond: string | null } {
  const [, open, code] = HABIT.exec(address) ?? [];
  if (open) return { habit: "keeps_open", toSecond: null };
  if (!code) return { habit: "polite", toSecond: null };
  return { habit: "one_message", toSecond: `${code} ${code[0]}.5.1 one message a connection` };
}
