// Normalizes a server's refusal so that refusals for the same reason have the same text. Replaces
// the parts that differ between messages (addresses, IP addresses, times, queue ids) by "…". Keeps
// codes such as 5.7.1 and S3150, because the providers' help pages name them. Pure.
import type { OwnEvent } from "../../rpc/event-records.ts";
import type { EventType } from "../../rpc/event-types.ts";

/** The event types that can report a refusal. */
export const REFUSAL_TYPES: readonly EventType[] = ["email.bounced", "email.delayed"];

/** Maximum length of a refusal's text, in bytes of UTF-8, including the "…" after a cut. */
const TEXT_BYTES = 200;
const GAP = "…";
/** An id has at least this many characters. A shorter word is a code, even with many digits. */
const ID_CHARACTERS = 8;
const ID_DIGITS = 5;
/** An id has more changes between letters and digits. A name such as Office365 has only one. */
const ID_CHANGES = 2;

const OPENING = "[(<{\"'";
const CLOSING = "])>}\"'.,;:!";
const STATUS = /^\d\.\d{1,3}\.\d{1,3}$/;
const IPV4 = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;

/** Returns an event's normalized refusal, or null if the event has no server's refusal. */
export function eventRefusal({
  type,
  bounce,
  exchange,
}: Pick<OwnEvent, "type" | "bounce" | "exchange">): string | null {
  if (!REFUSAL_TYPES.includes(type)) return null;
  const reply = type === "email.bounced" ? bounce?.smtpResponse : exchange?.response;
  return reply ? refusalText(reply) : null;
}

/** Normalizes a server's reply of one line (contract.md §Bounces). */
export function refusalText(reply: string): string {
  const words: string[] = [];
  for (const word of reply.split(" ")) {
    const [said, last] = [wordOf(word), words.at(-1)];
    if (said.startsWith(GAP) && last?.endsWith(GAP)) words[words.length - 1] = last + said.slice(1);
    else if (said !== "") words.push(said);
  }
  return cut(words.join(" "));
}

function cut(text: string): string {
  const encoder = new TextEncoder();
  const fits = (bytes: number): number => encoder.encodeInto(text, new Uint8Array(bytes)).read;
  if (fits(TEXT_BYTES) === text.length) return text;
  return `${text.slice(0, fits(TEXT_BYTES - encoder.encode(GAP).length))}${GAP}`;
}

function wordOf(word: string): string {
  let [from, to] = [0, word.length];
  while (from < to && OPENING.includes(word.charAt(from))) from += 1;
  while (to > from && CLOSING.includes(word.charAt(to - 1))) to -= 1;
  const [before, core, after] = [word.slice(0, from), word.slice(from, to), word.slice(to)];
  if (core.includes("://")) return `${before}${core.split(/[?#]/, 1)[0]}${after}`;
  return differs(core) ? `${before}${GAP}${after}` : word;
}

function differs(word: string): boolean {
  if (STATUS.test(word)) return false;
  return word.includes("@") || IPV4.test(word) || isId(word);
}

/** Returns whether a word is an id, a time, an IPv6 address or the name of a single host. */
function isId(word: string): boolean {
  const digits = word.replaceAll(/\D/g, "").length;
  if (digits === 0) return false;
  if (digits === word.length) return digits > ID_DIGITS;
  if (word.split(":").length > 2) return true;
  if (word.length < ID_CHARACTERS) return false;
  const changes = word.replaceAll(/\d+/g, "0").replaceAll(/\D+/g, "a").length - 1;
  return digits >= ID_DIGITS || changes > ID_CHANGES || (word.includes(".") && changes >= 1);
}
