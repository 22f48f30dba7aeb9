// Stores the records of the local DNS server: records that the service publishes through the API,
// records that set-up publishes once, and records of customers. A store with a file replaces the
// whole file at every change. A store without a file has the records only in memory.
import { randomBytes } from "node:crypto";
import { isIPv4, isIPv6 } from "node:net";
import { readStateFile, writeStateFile } from "../state-file.ts";

export const RECORD_TYPES = ["A", "AAAA", "CNAME", "MX", "NS", "PTR", "TXT"] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

const STRING_BYTES = 255;
/** Maximum size of a record's content, whose length has two octets (RFC 1035 §3.2.1). */
const RDATA_BYTES = 65_535;
const NAME_CHARACTERS = 253;
const LABEL = /^(?:\*|[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)$/;

export interface RecordContent {
  readonly type: RecordType;
  /**
   * An IP address, a host name without the final dot, or a text. A text is either plain, or written
   * as quoted character strings.
   */
  readonly content: string;
  /** Only MX records have a priority. */
  readonly priority?: number;
  /**
   * True: Cloudflare's network answers for the name. Only A, AAAA and CNAME records can be proxied.
   */
  readonly proxied?: boolean;
}

export interface DnsRecord extends RecordContent {
  readonly id: string;
  /** The record's name, in lower case and without the final dot. */
  readonly name: string;
  readonly ttl: number;
  readonly comment: string | null;
  readonly created_on: string;
  readonly modified_on: string;
}

export class RecordStore {
  readonly #path: string | null;
  readonly #byId = new Map<string, DnsRecord>();

  constructor(path: string | null) {
    this.#path = path;
    const kept = path === null ? undefined : readStateFile(path);
    for (const record of (kept ?? []) as DnsRecord[]) this.#byId.set(record.id, record);
  }

  /** Lists the records in order of creation. */
  list(): DnsRecord[] {
    return [...this.#byId.values()];
  }

  find(id: string): DnsRecord | undefined {
    return this.#byId.get(id);
  }

  at(name: string): readonly DnsRecord[] {
    return this.list().filter((record) => record.name === name);
  }

  /** A name exists if it or a name below it has a record (RFC 4592 §2.2.2). */
  exists(name: string): boolean {
    return this.list().some((record) => `.${record.name}`.endsWith(`.${name}`));
  }

  add(name: string, content: RecordContent, ttl: number, comment: string | null): DnsRecord {
    const now = new Date().toISOString();
    const record = {
      id: randomBytes(16).toString("hex"),
      name,
      ...content,
      ttl,
      comment,
      created_on: now,
      modified_on: now,
    };
    this.#byId.set(record.id, record);
    this.#keep();
    return record;
  }

  update(record: DnsRecord): DnsRecord {
    const updated = { ...record, modified_on: new Date().toISOString() };
    this.#byId.set(record.id, updated);
    this.#keep();
    return updated;
  }

  remove(records: readonly DnsRecord[]): void {
    for (const { id } of records) this.#byId.delete(id);
    this.#keep();
  }

  #keep(): void {
    if (this.#path !== null) writeStateFile(this.#path, this.list());
  }
}

export function isWithin(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}

/** Returns a host name in its canonical form, and any other content as it is. */
export function canonicalContent(type: RecordType, content: string): string {
  const isHost = type === "CNAME" || type === "NS" || type === "PTR" || type === "MX";
  return isHost ? (canonicalName(content) ?? content) : content;
}

/** Returns the parent name, or null for a top-level name. */
export function parentOf(name: string): string | null {
  const dot = name.indexOf(".");
  return dot === -1 ? null : name.slice(dot + 1);
}

/**
 * Returns the name in lower case without the final dot. Returns null if no record can have this
 * name. A name may have underscores, and `*` as its first label.
 */
export function canonicalName(name: string): string | null {
  const canonical = name.toLowerCase().replace(/\.$/, "");
  const labels = canonical.split(".");
  const valid =
    canonical.length <= NAME_CHARACTERS &&
    labels.every((label, index) => LABEL.test(label) && (label !== "*" || index === 0));
  return valid ? canonical : null;
}

/** Returns the reason why the content is invalid, or null if it is valid. */
export function contentProblem({ type, content, priority }: RecordContent): string | null {
  if (type === "A")
    return isIPv4(content) ? null : "content for an A record must be an IPv4 address";
  if (type === "AAAA")
    return isIPv6(content) ? null : "content for an AAAA record must be an IPv6 address";
  if (type === "TXT") return textProblem(content);
  if (
    type === "MX" &&
    !(Number.isInteger(priority) && (priority ?? -1) >= 0 && (priority ?? 0) <= 65_535)
  ) {
    return "priority for an MX record must be a whole number from 0 to 65535";
  }
  const isNullMx = type === "MX" && content === ".";
  return isNullMx || canonicalName(content) !== null
    ? null
    : `content for a ${type} record must be a host name`;
}

function textProblem(content: string): string | null {
  if (content === "") return "content for a TXT record must not be empty";
  const octets = characterStrings(content).reduce((sum, string) => sum + 1 + string.length, 0);
  return octets > RDATA_BYTES
    ? `content for a TXT record must not be longer than ${RDATA_BYTES} octets in wire format`
    : null;
}

/**
 * Splits the text of a TXT record into character strings. Quoted strings stay as they are. Any
 * other text is split after each 255 bytes.
 */
export function characterStrings(content: string): Buffer[] {
  const quoted = /^"(?:[^"\\]|\\.)*"(?:\s+"(?:[^"\\]|\\.)*")*$/s.test(content);
  const written = quoted ? content.match(/\s*"(?:[^"\\]|\\.)*"/gsy) : null;
  const texts = written?.map((text) => text.trimStart().slice(1, -1).replace(/\\(.)/gs, "$1")) ?? [
    content,
  ];
  return texts.flatMap((text) => {
    const bytes = Buffer.from(text);
    const strings = Array.from({ length: Math.ceil(bytes.length / STRING_BYTES) }, (_, index) =>
      bytes.subarray(index * STRING_BYTES, (index + 1) * STRING_BYTES),
    );
    return strings.length > 0 ? strings : [bytes];
  });
}
