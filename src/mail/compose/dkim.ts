// Signs composed and submitted messages with DKIM (RFC 6376): relaxed/relaxed, rsa-sha256, over the
// whole body (docs/architecture.md §Compose). Each listed header is signed once more than it
// occurs, so that another header of that name breaks the signature. Octets that are not ASCII are
// signed unchanged. Pure.
import { Buffer } from "node:buffer";
import { encodeBase64 } from "../../lib/crypto/base64.ts";
import { runInSteps, type Steps } from "../../lib/step-scheduler.ts";
import { DAY_MS } from "../../limits.ts";

// The key's type, in a form that the type definitions of both Workers and Node have.
type CryptoKey = Parameters<typeof crypto.subtle.sign>[1];

export interface DkimKey {
  /** The signing domain (`d=`), ASCII. */
  readonly domain: string;
  /** The selector (`s=`): the public key is at `<selector>._domainkey.<domain>`. */
  readonly selector: string;
  /** A private RSA key, imported for RSASSA-PKCS1-v1_5 with SHA-256. */
  readonly key: CryptoKey;
}

const SIGNED_HEADERS = [
  "from",
  "to",
  "cc",
  "subject",
  "date",
  "message-id",
  "reply-to",
  "mime-version",
  "content-type",
  "content-transfer-encoding",
  "in-reply-to",
  "references",
  "cfbl-address",
  "feedback-id",
  "list-unsubscribe",
  "list-unsubscribe-post",
] as const;
/**
 * Headers that are signed only if the message has them. Every copy has CFBL-Address, which the
 * signature must cover (RFC 9477 §3.1.2). Every copy also has Feedback-ID, which Gmail reads only
 * if the signature covers it (docs/complaints.md).
 */
const SIGNED_WHERE_PRESENT: ReadonlySet<string> = new Set(["cfbl-address", "feedback-id"]);
const SIGNATURE_LIFETIME_MS = 7 * DAY_MS;
const SIGNATURE_LINE_CHARACTERS = 76;
/** Number of octets of the body that are canonicalised in one step. */
const OCTETS_PER_STEP = 262_144;

const encoder = new TextEncoder();

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

/**
 * Puts a DKIM-Signature before the message's first header. `message` must have CRLF line ends.
 * `nowMs` is the time of the signature, in Unix milliseconds. The signature is valid for seven
 * days.
 */
export async function signMessage(
  message: Uint8Array,
  dkim: DkimKey,
  nowMs: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const { header, body } = splitMessage(message);
  return withSignature(message, header, body, dkim, nowMs);
}

/**
 * Signs a message that is given as text with one character per octet. `header` has a line end after
 * each field.
 */
export async function signText(
  header: string,
  body: string,
  dkim: DkimKey,
  nowMs: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const message = octetsOf(`${header}\r\n${body}`);
  return withSignature(
    message,
    header.slice(0, -2),
    message.subarray(header.length + 2),
    dkim,
    nowMs,
  );
}

async function withSignature(
  message: Uint8Array,
  header: string,
  body: Uint8Array,
  { domain, selector, key }: DkimKey,
  nowMs: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const digest = await crypto.subtle.digest("SHA-256", await runInSteps(canonicalBody(body)));
  const { names, lines } = listSignedFields(header);
  const unsigned = [
    "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;",
    ` d=${domain};`,
    ` s=${selector}; t=${toSeconds(nowMs)}; x=${toSeconds(nowMs + SIGNATURE_LIFETIME_MS)};`,
    ` h=${foldNames(names)};`,
    ` bh=${encodeBase64(new Uint8Array(digest))};`,
    " b=",
  ].join("\r\n");
  const signed = octetsOf(`${lines.join("")}${canonicalize("dkim-signature", unsigned)}`);
  const signature = new Uint8Array(await crypto.subtle.sign("RSASSA-PKCS1-v1_5", key, signed));
  const field = octetsOf(`${unsigned}${foldBase64(encodeBase64(signature))}\r\n`);
  const output = new Uint8Array(field.length + message.length);
  output.set(field);
  output.set(message, field.length);
  return output;
}

/**
 * Returns one octet for each character. Nearly all text is ASCII, for which the encoder takes a
 * quarter of Buffer's time. If the encoder does not read the whole text, the text is not ASCII,
 * because its encoded form does not fit into the array.
 */
function octetsOf(text: string): Uint8Array<ArrayBuffer> {
  const octets = new Uint8Array(text.length);
  return encoder.encodeInto(text, octets).read === text.length
    ? octets
    : Buffer.from(text, "latin1");
}

/**
 * Makes the relaxed canonical body (RFC 6376 §3.4.4): removes blanks at line ends and empty lines
 * at the end, and reduces other runs of blanks to one space.
 */
function* canonicalBody(body: Uint8Array): Steps<Uint8Array<ArrayBuffer>> {
  const output = new Uint8Array(body.length + 2);
  let length = 0;
  let blank = false;
  let stepEnd = OCTETS_PER_STEP;
  for (let index = 0; index < body.length; index += 1) {
    if (index >= stepEnd) {
      stepEnd = index + OCTETS_PER_STEP;
      yield OCTETS_PER_STEP;
    }
    const byte = body[index] ?? 0;
    if (byte === SPACE || byte === TAB) {
      blank = true;
      continue;
    }
    if (byte === CR && body[index + 1] === LF) {
      output[length++] = CR;
      output[length++] = LF;
      index += 1;
    } else {
      if (blank) output[length++] = SPACE;
      output[length++] = byte;
    }
    blank = false;
  }
  while (length >= 2 && output[length - 2] === CR && output[length - 1] === LF) length -= 2;
  if (length > 0) {
    output[length++] = CR;
    output[length++] = LF;
  }
  return output.subarray(0, length);
}

/**
 * Makes the relaxed canonical header field (RFC 6376 §3.4.2), without its line end. `name` is the
 * field's name in lower case. `field` may be folded.
 */
function canonicalize(name: string, field: string): string {
  const value = field.slice(field.indexOf(":") + 1);
  return `${name}:${collapseBlanks(value.includes("\r\n") ? value.replaceAll("\r\n", "") : value)}`;
}

function fieldName(field: string): string {
  return collapseBlanks(field.slice(0, Math.max(field.indexOf(":"), 0))).toLowerCase();
}

function collapseBlanks(text: string): string {
  const single = text.includes("\t") || text.includes("  ") ? text.replace(/[ \t]+/g, " ") : text;
  const start = single.startsWith(" ") ? 1 : 0;
  return single.slice(
    start,
    single.endsWith(" ") ? Math.max(single.length - 1, start) : single.length,
  );
}

function splitMessage(message: Uint8Array): { header: string; body: Uint8Array } {
  const buffer = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  if (message[0] === CR && message[1] === LF) return { header: "", body: message.subarray(2) };
  const end = buffer.indexOf("\r\n\r\n");
  if (end === -1)
    return { header: buffer.toString("latin1"), body: message.subarray(message.length) };
  return { header: buffer.toString("latin1", 0, end), body: message.subarray(end + 4) };
}

/**
 * Returns the names for `h=` and the canonical fields to sign. If several fields have the same
 * name, the lowest field in the header comes first (RFC 6376 §5.4.2).
 */
function listSignedFields(header: string): { names: string[]; lines: string[] } {
  const fields = new Map<string, string[]>();
  for (const field of header.split(/\r\n(?![ \t])/)) {
    const name = fieldName(field);
    const known = fields.get(name);
    if (known) known.push(field);
    else fields.set(name, [field]);
  }
  const names: string[] = [];
  const lines: string[] = [];
  for (const name of SIGNED_HEADERS) {
    if (SIGNED_WHERE_PRESENT.has(name) && !fields.has(name)) continue;
    for (const field of fields.get(name)?.toReversed() ?? []) {
      names.push(name);
      lines.push(`${canonicalize(name, field)}\r\n`);
    }
    names.push(name);
  }
  return { names, lines };
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1_000);
}

function foldNames(names: readonly string[]): string {
  let text = "";
  let column = " h=".length;
  for (const [index, name] of names.entries()) {
    const item = index === names.length - 1 ? name : `${name}:`;
    if (column + item.length > SIGNATURE_LINE_CHARACTERS) {
      text += "\r\n  ";
      column = 2;
    }
    text += item;
    column += item.length;
  }
  return text;
}

function foldBase64(text: string): string {
  const width = SIGNATURE_LINE_CHARACTERS - 3;
  const lines: string[] = [];
  for (let start = 0; start < text.length; start += width)
    lines.push(text.slice(start, start + width));
  return lines.join("\r\n  ");
}
