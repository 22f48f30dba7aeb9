// Counts, in this isolate, the errors of the Email Service whose texts are unknown (decision 0016).
// If a domain's copies get the same text several times in a row, the domain's mail is put on hold.
// Further copies of unknown fate would show nothing new.
import { onOneLine } from "../../../classify/reply-line.ts";
import { BoundedMap } from "../../../lib/bounded-cache.ts";
import { safeMessage } from "../../../lib/log.ts";

/** Number of equal errors in a row after which the domain's mail is put on hold. */
const IN_A_ROW = 3;
/**
 * Time from such an error until the next copy may be sent, to see whether the error is over. It is
 * shorter than the 45 seconds after which a ledger probes a domain on hold.
 */
const HELD_MS = 40_000;
const DOMAINS_MAX = 1_000;
const TEXT_CHARACTERS = 200;
const MASK = "***";
/**
 * Matches 20 or more characters in a row. If they contain a digit, they may be a secret, an id or a
 * token.
 */
const LONG = /[\w+/=~-]{20,}/g;
const WORD = /[\w-]+/g;

interface UnclearError {
  readonly text: string;
  readonly count: number;
  /** Unix milliseconds. */
  readonly heldUntil: number;
}

const byDomain = new BoundedMap<string, UnclearError>(DOMAINS_MAX);

/** Returns an error's text as events may show it: short, without addresses and keys. */
export function safeText(error: unknown): string {
  return onOneLine(safeMessage(error))
    .replace(LONG, (text) => (/\d/.test(text) ? MASK : text))
    .split(" ")
    .map((word) => (word.includes("@") ? MASK : word))
    .join(" ")
    .slice(0, TEXT_CHARACTERS)
    .toWellFormed()
    .trim();
}

/**
 * Counts an error with an unknown text. `speedup` is the divisor of the time for which the domain
 * is on hold.
 */
export function countUnclearError(
  domain: string,
  text: string,
  now: number,
  speedup: number,
): void {
  const before = byDomain.get(domain);
  const isSame = before !== undefined && stable(before.text) === stable(text);
  const count = isSame ? before.count + 1 : 1;
  const heldUntil = count < IN_A_ROW ? 0 : now + HELD_MS / speedup;
  byDomain.setLast(domain, { text, count, heldUntil });
}

/** Forgets the errors of a domain, because the Email Service took a copy of the domain. */
export function forgetUnclearErrors(domain: string): void {
  byDomain.delete(domain);
}

/**
 * Returns the text of the repeated error that puts the domain on hold now. Null means that a copy
 * may be sent.
 */
export function repeatedError(domain: string, now: number): string | null {
  const error = byDomain.get(domain);
  return error !== undefined && now < error.heldUntil ? error.text : null;
}

/**
 * Removes the parts that differ between two errors with the same text, such as a request's number.
 */
function stable(text: string): string {
  return text.replace(WORD, (word) => (/\d/.test(word) ? "#" : word));
}
