// Signs any message, composed or submitted, by DKIM (RFC 6376): relaxed/relaxed, rsa-sha256, over
// the whole body (docs/architecture.md §Compose). Each header of the list is signed once more than
// it occurs, so that none can be added afterwards. Octets beyond ASCII are signed as they are.
import { Buffer } from "node:buffer";
import { encodeBase64 } from "../../lib/crypto/base64.ts";
import { runInSteps, type Steps } from "../../lib/step-scheduler.ts";
import { DAY_MS } from "../../limits.ts";

// The name that the types of Workers and of Node have in common.
type CryptoKey = Parameters<typeof crypto.subtle.sign>[1];

export interface DkimKey {
  /** The signing domain (`d=`), ASCII. */
  readonly domain: string;
  /** Selector (`s=`): the public key is at `<selector>._domainkey.<domain>`. */
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
  "list-unsubscribe",
  "list-unsubscribe-post",
] as const;
/**
 * Every copy that leaves carries it, and the signature has to cover it (RFC 9477 §3.1.2); a message
 * without it is signed as one that has none.
 */
const SIGNED_WHERE_PRESENT: ReadonlySet<string> = new Set(["cfbl-address"]);
const LIFETIME_MS = 7 * DAY_MS;
const LINE_CHARACTERS = 76;
/** Of the body, in octets. */
const STEP = 262_144;

const encoder = new TextEncoder();

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

/**
 * The message with a DKIM-Signature before its first header. `message` has CRLF line ends; `nowMs`
 * (Unix milliseconds) is when the signature begins to hold, for seven days.
 */
export async function signMessage(
  message: Uint8Array,
  dkim: DkimKey,
  nowMs: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const { header, body } = parted(message);
  return withSignature(message, header, body, dkim, nowMs);
}

/**
 * The same for a message in two parts, one character an octet: its header with a line end after
 * each field, and its body.
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
  const { names, lines } = signedFields(header);
  const unsigned = [
    "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;",
    ` d=${domain};`,
    ` s=${selector}; t=${Math.floor(nowMs / 1_000)}; x=${Math.floor((nowMs + LIFETIME_MS) / 1_000)};`,
    ` h=${foldedNames(names)};`,
    ` bh=${encodeBase64(new Uint8Array(digest))};`,
    " b=",
  ].join("\r\n");
  const signed = octetsOf(`${lines.join("")}${canonicalField(unsigned)}`);
  const signature = new Uint8Array(await crypto.subtle.sign("RSASSA-PKCS1-v1_5", key, signed));
  const field = octetsOf(`${unsigned}${foldedBase64(encodeBase64(signature))}\r\n`);
  const output = new Uint8Array(field.length + message.length);
  output.set(field);
  output.set(message, field.length);
  return output;
}

/**
 * One for each character. For ASCII, which nearly all is, the encoder takes a quarter of Buffer's
 * time; anything else does not fit, and so is not read.
 */
function octetsOf(text: string): Uint8Array<ArrayBuffer> {
  const octets = new Uint8Array(text.length);
  return encoder.encodeInto(text, octets).read === text.length
    ? octets
    : Buffer.from(text, "latin1");
}

/**
 * Relaxed canonical body (RFC 6376 section 3.4.4): blanks at line ends and empty lines at the end
 * are gone, other blanks are one space each.
 */
export function* canonicalBody(body: Uint8Array): Steps<Uint8Array<ArrayBuffer>> {
  const output = new Uint8Array(body.length + 2);
  let length = 0;
  let blank = false;
  let stepEnd = STEP;
  for (let index = 0; index < body.length; index += 1) {
    if (index >= stepEnd) {
      stepEnd = index + STEP;
      yield STEP;
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
 * Relaxed canonical header field (RFC 6376 section 3.4.2), without its line end. `field` may be
 * folded.
 */
export function canonicalField(field: string): string {
  return canonical(fieldName(field), field);
}

function canonical(name: string, field: string): string {
  const value = field.slice(field.indexOf(":") + 1);
  return `${name}:${collapsed(value.includes("\r\n") ? value.replaceAll("\r\n", "") : value)}`;
}

function fieldName(field: string): string {
  return collapsed(field.slice(0, Math.max(field.indexOf(":"), 0))).toLowerCase();
}

function collapsed(text: string): string {
  const single = text.includes("\t") || text.includes("  ") ? text.replace(/[ \t]+/g, " ") : text;
  const start = single.startsWith(" ") ? 1 : 0;
  return single.slice(
    start,
    single.endsWith(" ") ? Math.max(single.length - 1, start) : single.length,
  );
}

function parted(message: Uint8Array): { header: string; body: Uint8Array } {
  const buffer = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  if (message[0] === CR && message[1] === LF) return { header: "", body: message.subarray(2) };
  const end = buffer.indexOf("\r\n\r\n");
  if (end === -1)
    return { header: buffer.toString("latin1"), body: message.subarray(message.length) };
  return { header: buffer.toString("latin1", 0, end), body: message.subarray(end + 4) };
}

/**
 * The names for `h=`, and the canonical fields that they stand for: of several with one name, the
 * lowest comes first (RFC 6376 section 5.4.2).
 */
function signedFields(header: string): { names: string[]; lines: string[] } {
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
      lines.push(`${canonical(name, field)}\r\n`);
    }
    names.push(name);
  }
  return { names, lines };
}

function foldedNames(names: readonly string[]): string {
  let text = "";
  let column = " h=".length;
  for (const [index, name] of names.entries()) {
    const item = index === names.length - 1 ? name : `${name}:`;
    if (column + item.length > LINE_CHARACTERS) {
      text += "\r\n  ";
      column = 2;
    }
    text += item;
    column += item.length;
  }
  return text;
}

function foldedBase64(text: string): string {
  const width = LINE_CHARACTERS - 3;
  const lines: string[] = [];
  for (let start = 0; start < text.length; start += width)
    lines.push(text.slice(start, start + width));
  return lines.join("\r\n  ");
}
