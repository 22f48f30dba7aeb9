// Where the parts of a message are (RFC 2046 section 5.1), without taking anything apart: offsets
// only. Nesting and number are bounded; what lies beyond counts as part of the leaf around it.
import { Buffer } from "node:buffer";

export interface Leaf {
  /** Offset of the part's header; equal to `bodyStart` when it has none. */
  readonly headerStart: number;
  /** Offset after the line end of the header's last line. */
  readonly headerEnd: number;
  readonly bodyStart: number;
  readonly end: number;
  /** `type/subtype`, lower case. */
  readonly type: string;
  /** The type's charset parameter, lower case; null where there is none. */
  readonly charset: string | null;
  /** Whether it is shown with the message: no attachment, and not sealed. */
  readonly isShown: boolean;
  /** Below a signature, encrypted, or in a message inside: none of it may be changed. */
  readonly isSealed: boolean;
  /** Whether it has a file's name. */
  readonly isNamed: boolean;
  /** Content-Transfer-Encoding, lower case; "7bit" where there is none. */
  readonly encoding: string;
  /** Where the Content-Transfer-Encoding field stands, without its line end; null: nowhere. */
  readonly encodingField: Range | null;
  /** The same of Content-Type. */
  readonly typeField: Range | null;
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

const LF = 0x0a;
const NESTING = 20;
const LEAVES = 1_000;
const DEFAULT_TYPE = "text/plain";

const ESSENCE = /^[ \t]*([^\s;/]+\/[^\s;]+)/;
/** Where a field about content begins: a header may be megabytes of others. */
const CONTENT = /(?:^|\r\n)content-/gi;
const BOUNDARY = /;[ \t]*boundary[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i;
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*"?([^\s;"]+)/i;
/** Also in the segments and the charset of RFC 2231. */
const NAME = /[; \t](?:file)?name(?:\*\d*){0,2}[ \t]*=/i;
const ATTACHED = /^[ \t]*attachment/i;
/** Their parts are signed, encrypted or a message of their own. */
const SEALED = /^(?:multipart\/(?:signed|encrypted)|message\/)/;
const DELIMITER_END = /^(--)?[ \t]*$/;

export function leavesOf(message: Uint8Array): Leaf[] {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const leaves: Leaf[] = [];
  walk(bytes, { start: 0, end: bytes.length, isSealed: false }, 0, leaves);
  return leaves;
}

function walk(
  bytes: Buffer,
  range: Range & { readonly isSealed: boolean },
  depth: number,
  leaves: Leaf[],
): void {
  if (leaves.length >= LEAVES) return;
  const leaf = readEntity(bytes, range);
  const isSealed = range.isSealed || SEALED.test(leaf.type);
  const { type, encoding, bodyStart, end } = leaf;
  const body = { start: bodyStart, end };
  const boundary =
    depth < NESTING && type.startsWith("multipart/") ? boundaryOf(bytes, leaf) : undefined;
  const parts = boundary === undefined ? [] : partsIn(bytes, body, boundary);
  if (parts.length > 0)
    for (const part of parts) walk(bytes, { ...part, isSealed }, depth + 1, leaves);
  else if (depth < NESTING && type === "message/rfc822" && isIdentity(encoding))
    walk(bytes, { ...body, isSealed }, depth + 1, leaves);
  else leaves.push({ ...leaf, isSealed, isShown: leaf.isShown && !isSealed });
}

/** A message or a part as a whole, its parts not looked for: what leavesOf() says of a leaf. */
export function entityIn(message: Uint8Array, { start, end }: Range): Leaf {
  return readEntity(Buffer.from(message.buffer, message.byteOffset, message.byteLength), {
    start,
    end,
  });
}

/**
 * Where the parts of a multipart are, their headers included; none in what is no multipart, or has
 * no boundary.
 */
export function partsOf(message: Uint8Array, entity: Leaf): Range[] {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const boundary = entity.type.startsWith("multipart/") ? boundaryOf(bytes, entity) : undefined;
  return boundary === undefined
    ? []
    : partsIn(bytes, { start: entity.bodyStart, end: entity.end }, boundary);
}

/** Whether the body stands there as it is. */
export function isIdentity(encoding: string): boolean {
  return encoding === "7bit" || encoding === "8bit" || encoding === "binary";
}

function readEntity(bytes: Buffer, { start, end }: Range): Leaf {
  const empty = bytes.toString("latin1", start, Math.min(start + 2, end)) === "\r\n";
  const blank = empty ? start - 2 : bytes.subarray(start, end).indexOf("\r\n\r\n") + start;
  const ended = empty || blank >= start;
  const headerEnd = ended ? blank + 2 : end;
  const fields = contentFields(bytes.toString("latin1", start, headerEnd), start);
  const [typeField, encodingField] = [
    fields.get("content-type"),
    fields.get("content-transfer-encoding"),
  ];
  const type = typeField?.value ?? "";
  const disposition = fields.get("content-disposition")?.value ?? "";
  return {
    headerStart: start,
    headerEnd,
    bodyStart: ended ? headerEnd + 2 : end,
    end,
    type: ESSENCE.exec(type)?.[1]?.toLowerCase() ?? DEFAULT_TYPE,
    charset: CHARSET.exec(type)?.[1]?.toLowerCase() ?? null,
    isShown: !ATTACHED.test(disposition),
    isSealed: false,
    isNamed: NAME.test(type) || NAME.test(disposition),
    encoding: encodingField?.value.trim().toLowerCase() || "7bit",
    encodingField: encodingField?.place ?? null,
    typeField: typeField?.place ?? null,
  };
}

interface Field {
  /** Unfolded. */
  readonly value: string;
  readonly place: Range;
}

/**
 * The first field of each `Content-` name, by its name in lower case. The header begins at `offset`
 * of the message.
 */
function contentFields(header: string, offset: number): Map<string, Field> {
  const fields = new Map<string, Field>();
  for (const { index } of header.matchAll(CONTENT)) {
    const end = endOfField(header, index);
    const field = header.slice(header.startsWith("\r\n", index) ? index + 2 : index, end);
    const colon = field.indexOf(":");
    const name = field.slice(0, Math.max(colon, 0)).trimEnd().toLowerCase();
    if (colon > 0 && !fields.has(name))
      fields.set(name, {
        value: field.slice(colon + 1).replaceAll("\r\n", ""),
        place: { start: offset + end - field.length, end: offset + end },
      });
  }
  return fields;
}

/** Where the last line of the field ends that begins at, or with the line end at, `from`. */
function endOfField(header: string, from: number): number {
  let end = header.indexOf("\r\n", from + 2);
  while (end >= 0 && (header[end + 2] === " " || header[end + 2] === "\t"))
    end = header.indexOf("\r\n", end + 2);
  return end < 0 ? header.length : end;
}

function boundaryOf(bytes: Buffer, { typeField }: Leaf): string | undefined {
  const field = typeField && bytes.toString("latin1", typeField.start, typeField.end);
  const match = field && BOUNDARY.exec(field.replaceAll("\r\n", ""));
  if (!match) return undefined;
  const boundary = match[1]?.replace(/\\(.)/g, "$1") ?? match[2];
  return boundary === "" ? undefined : boundary;
}

/** What stands between the delimiter lines; a part without a closing delimiter goes to the end. */
function partsIn(bytes: Buffer, { start, end }: Range, boundary: string): Range[] {
  const mark = Buffer.from(`--${boundary}`, "latin1");
  const parts: Range[] = [];
  let opened: number | undefined;
  let from = start;
  while (parts.length < LEAVES) {
    const at = bytes.indexOf(mark, from);
    if (at < 0 || at + mark.length > end) break;
    from = at + mark.length;
    // Looked at first: a search for the line's end from every mark could go over the same octets
    // again and again.
    if (at !== start && bytes[at - 1] !== LF) continue;
    const lineEnd = bytes.indexOf("\r\n", from);
    const lineStop = lineEnd < 0 || lineEnd > end ? end : lineEnd;
    const rest = DELIMITER_END.exec(bytes.toString("latin1", from, lineStop));
    if (!rest) continue;
    if (opened !== undefined) parts.push({ start: opened, end: Math.max(opened, at - 2) });
    opened = rest[1] === undefined ? Math.min(lineStop + 2, end) : undefined;
    if (opened === undefined) break;
  }
  if (opened !== undefined) parts.push({ start: opened, end });
  return parts;
}
