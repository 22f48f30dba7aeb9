// Finds the parts of a message (RFC 2046 §5.1) as offsets, without copying. Nesting and the number
// of parts are limited. A part beyond these limits counts as text of the part that contains it.
// Pure.
import { Buffer } from "node:buffer";

export interface Leaf {
  /** Offset of the part's header. Equals `bodyStart` if the part has no header. */
  readonly headerStart: number;
  /** Offset after the line end of the header's last line. */
  readonly headerEnd: number;
  readonly bodyStart: number;
  readonly end: number;
  /** `type/subtype` in lower case. */
  readonly type: string;
  /** The charset parameter of the type, in lower case. Null: the type has no such parameter. */
  readonly charset: string | null;
  /**
   * True: the part is displayed with the message. It is not an attachment, and it is not signed,
   * encrypted or inside an attached message.
   */
  readonly isShown: boolean;
  /**
   * True: the part is signed, encrypted, or inside an attached message, so it must not be changed.
   */
  readonly isSealed: boolean;
  /** True: the part has a file name. */
  readonly isNamed: boolean;
  /** Content-Transfer-Encoding in lower case, "7bit" by default. */
  readonly encoding: string;
  /**
   * Range of the Content-Transfer-Encoding field without its line end. Null: the part has no such
   * field.
   */
  readonly encodingField: Range | null;
  /** Range of the Content-Type field without its line end. Null: the part has no such field. */
  readonly typeField: Range | null;
}

/** A leaf, or a multipart or attached message with the parts inside it. */
export interface Entity extends Leaf {
  /** The ranges of the parts inside. Empty: the entity is a leaf. */
  readonly parts: readonly Range[];
  /** True: the entity is inside a multipart/signed, whose signature covers every octet of it. */
  readonly isSigned: boolean;
  /** True: the entity is the whole message or a whole attached message. */
  readonly isMessage: boolean;
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Facts that an entity gets from the entity around it. */
interface Place extends Range {
  readonly isSealed: boolean;
  readonly isSigned: boolean;
  readonly isMessage: boolean;
  /** The type of an entity that declares no type (RFC 2046 §5.1.5). */
  readonly defaultType: string;
}

const LF = 0x0a;
const NESTING_READ = 20;
const LEAVES_READ = 1_000;
const DEFAULT_TYPE = "text/plain";
const ATTACHED_MESSAGE = "message/rfc822";

const ESSENCE = /^[ \t]*([^\s;/]+\/[^\s;]+)/;
/**
 * Finds where a Content- field begins. Skips other fields fast, because a header may contain
 * megabytes of them.
 */
const CONTENT = /(?:^|\r\n)content-/gi;
const BOUNDARY = /;[ \t]*boundary[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i;
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*"?([^\s;"]+)/i;
/**
 * Matches the name parameter of a field, also if RFC 2231 adds a segment number or a charset to it.
 */
const NAME = /[; \t](?:file)?name(?:\*\d*){0,2}[ \t]*=/i;
const ATTACHED = /^[ \t]*attachment/i;
/** Media types of parts that are signed or encrypted, or that contain a whole message. */
const SEALED = /^(?:multipart\/(?:signed|encrypted)|message\/)/;
const DELIMITER_END = /^(--)?[ \t]*$/;

export function leavesOf(message: Uint8Array): Leaf[] {
  return entitiesOf(message).filter(({ parts }) => parts.length === 0);
}

/**
 * Returns the message, its parts and the parts inside them. Each entity comes before its own parts.
 */
export function entitiesOf(message: Uint8Array): Entity[] {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const found = { entities: [], leaves: 0 };
  const outermost = { isSealed: false, isSigned: false, isMessage: true };
  const place = { start: 0, end: bytes.length, ...outermost, defaultType: DEFAULT_TYPE };
  collectEntities(bytes, place, 0, found);
  return found.entities;
}

function collectEntities(
  bytes: Buffer,
  place: Place,
  depth: number,
  found: { readonly entities: Entity[]; leaves: number },
): void {
  if (found.leaves >= LEAVES_READ) return;
  const leaf = readEntity(bytes, place, place.defaultType);
  const { type } = leaf;
  const isSealed = place.isSealed || SEALED.test(type);
  const parts = depth < NESTING_READ ? innerParts(bytes, leaf) : [];
  const isShown = leaf.isShown && !isSealed;
  const { isSigned, isMessage } = place;
  found.entities.push({ ...leaf, isSealed, isShown, parts, isSigned, isMessage });
  if (parts.length === 0) found.leaves += 1;
  const inside = {
    isSealed,
    isSigned: isSigned || type === "multipart/signed",
    isMessage: type === ATTACHED_MESSAGE,
    defaultType: type === "multipart/digest" ? ATTACHED_MESSAGE : DEFAULT_TYPE,
  };
  for (const part of parts) collectEntities(bytes, { ...part, ...inside }, depth + 1, found);
}

function innerParts(bytes: Buffer, entity: Leaf): Range[] {
  const { type, encoding, bodyStart: start, end } = entity;
  if (type === ATTACHED_MESSAGE) return isIdentity(encoding) ? [{ start, end }] : [];
  const boundary = type.startsWith("multipart/") ? boundaryOf(bytes, entity) : undefined;
  return boundary === undefined ? [] : splitParts(bytes, { start, end }, boundary);
}

/** Reads a message or part as one part, without looking for parts inside. */
export function readEntityAt(message: Uint8Array, { start, end }: Range): Leaf {
  return readEntity(Buffer.from(message.buffer, message.byteOffset, message.byteLength), {
    start,
    end,
  });
}

/**
 * Returns the ranges of a multipart's parts, including their headers. Returns no range if the
 * entity is not a multipart or has no boundary.
 */
export function partsOf(message: Uint8Array, entity: Leaf): Range[] {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  return entity.type.startsWith("multipart/") ? innerParts(bytes, entity) : [];
}

/** Tells whether a transfer encoding leaves the body unchanged. */
export function isIdentity(encoding: string): boolean {
  return encoding === "7bit" || encoding === "8bit" || encoding === "binary";
}

function readEntity(bytes: Buffer, { start, end }: Range, defaultType = DEFAULT_TYPE): Leaf {
  const empty = bytes.toString("latin1", start, Math.min(start + 2, end)) === "\r\n";
  const blank = empty ? start - 2 : bytes.subarray(start, end).indexOf("\r\n\r\n") + start;
  const ended = empty || blank >= start;
  const headerEnd = ended ? blank + 2 : end;
  const fields = readContentFields(bytes.toString("latin1", start, headerEnd), start);
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
    type: ESSENCE.exec(type)?.[1]?.toLowerCase() ?? defaultType,
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
  /** The field's value, unfolded. */
  readonly value: string;
  readonly place: Range;
}

/**
 * Returns the first field of each `Content-` name, by lower-case name. The header begins at
 * `offset` in the message.
 */
function readContentFields(header: string, offset: number): Map<string, Field> {
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

/**
 * Returns the offset of the line end that closes a field's last line. `from`: the offset of the
 * field, or of the line end before the field.
 */
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

/**
 * Returns the ranges between the delimiter lines. If the closing delimiter is missing, the last
 * part extends to the end.
 */
function splitParts(bytes: Buffer, { start, end }: Range, boundary: string): Range[] {
  const delimiter = Buffer.from(`--${boundary}`, "latin1");
  const parts: Range[] = [];
  let opened: number | undefined;
  let from = start;
  while (parts.length < LEAVES_READ) {
    const at = bytes.indexOf(delimiter, from);
    if (at < 0 || at + delimiter.length > end) break;
    from = at + delimiter.length;
    // The start of the line is checked before the end of the line is searched, because a search for
    // every delimiter could scan the same octets again and again.
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
