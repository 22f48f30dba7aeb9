// The From of a submitted message (spec.md "Send request", `from`): exactly one mailbox, and no reader may see anybody else in it. It goes out as it
// was written, so what two readers could read differently is refused. Pure.
import { parseMailbox, type ParsedMailbox } from "../../lib/address.ts";
import { decodeWords } from "../../lib/encoded-words.ts";
import type { Findings } from "./findings.ts";
import type { HeaderField } from "./header-section.ts";

const CONTROL = /[\p{Cc}\u2028\u2029]/u;
/** Embeddings, overrides and isolates: they make text read in another order than it stands in. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/;
/** An address is what follows an at sign without a space. */
const HOST = /@([^\s@<>()[\],;:"']+)/g;

/** The sender, its name decoded; undefined when it was reported. */
export function readFromHeader(fields: readonly HeaderField[], findings: Findings): ParsedMailbox | undefined {
  const sender = senderOf(fields.filter(({ lowerName }) => lowerName === "from").map(({ value }) => value));
  if (typeof sender !== "string") return sender;
  findings.malformed("from", sender);
  return undefined;
}

/** The sender, or the problem with it. */
function senderOf(values: readonly string[]): ParsedMailbox | string {
  const [value, ...others] = values;
  if (value === undefined) return "is required";
  if (others.length > 0) return "must be there once";
  const parsed = parseMailbox(value);
  if (parsed.kind === "invalid") return `${parsed.problem}, or not one alone`;
  if (parsed.kind === "unmailable") return parsed.problem;
  const { mailbox } = parsed;
  if (mailbox.email.startsWith('"')) return "has a local part that must be quoted";
  if (mailbox.email.includes("=?")) return "holds an encoded word in its address";
  if (holdsForeignAddress(mailbox.email, mailbox.domain)) return "has a local part that reads as an address of another domain";
  if (mailbox.name === null) return mailbox;
  const name = decodeWords(mailbox.name);
  const problem = problemOf(name.text, name.complete, mailbox.domain);
  return problem === undefined ? { ...mailbox, name: name.text.trim() || null } : `has a display name that ${problem}`;
}

function problemOf(name: string, complete: boolean, domain: string): string | undefined {
  if (!complete) return "can't be decoded";
  if (CONTROL.test(name)) return "holds a control character";
  if (REORDERING.test(name)) return "holds a character that reorders text";
  if (holdsForeignAddress(name, domain)) return "holds an address of another domain";
  return undefined;
}

/** Compatibility forms of the at sign and the dot are read as what they look like, invisible characters as not there. */
function holdsForeignAddress(name: string, domain: string): boolean {
  const plain = name
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replaceAll("\u3002", ".")
    .toLowerCase();
  return Array.from(plain.matchAll(HOST), ([, host = ""]) => host.replace(/(?<![.!?])[.!?]+$/, "")).some(
    (host) => host.includes(".") && host !== domain && !host.endsWith(`.${domain}`),
  );
}
