// Lists the records that set-up publishes (docs/dns.md §What set-up publishes once). Decides how
// the existing records of a name must change. Pure.
import { isSpfRecord } from "../../src/operator/mail-records.ts";
import type { NewRecord, ZoneRecord } from "./dns-api.ts";
import type { PublishedRecord } from "./setup-file.ts";
import { mailboxesOf } from "./account/mailbox-rules.ts";
import { CLOUDFLARE_MX, type SetupSettings } from "./setting-prompts.ts";
import { splitList } from "./rules.ts";

/** Records of the same name and type that set-up publishes together. */
export interface RecordSet {
  readonly name: string;
  readonly type: "MX" | "TXT" | "CNAME" | "AAAA";
  readonly records: readonly NewRecord[];
  /** True: if another record exists, set-up keeps it and does not ask about it. */
  readonly yields?: boolean;
}

export type RecordPlan =
  | { readonly kind: "present" }
  /**
   * No such record exists. If an earlier run was interrupted, `missing` is only a part of the set.
   */
  | { readonly kind: "create"; readonly missing: readonly NewRecord[] }
  /** An earlier run of set-up made the existing records from other answers of the operator. */
  | { readonly kind: "change"; readonly standing: readonly ZoneRecord[] }
  /** The existing records belong to another owner. */
  | { readonly kind: "conflict"; readonly standing: readonly ZoneRecord[] };

const MX_STEP = 10;
/** Records of these types give a host's addresses. They replace each other. */
const ADDRESS_TYPES = new Set(["A", "AAAA"]);

/**
 * Returns the records. Cloudflare's mail servers accept mail for a name only if Email Routing is on
 * for the name. So set-up publishes MX records for the service's mailboxes only with other mail
 * servers.
 */
export function serviceRecordSets(settings: SetupSettings): RecordSet[] {
  const { SERVICE_DOMAIN = "", MX_HOST = "", SPF = "", TRACK_TARGET = "" } = settings;
  const mailboxes = mailboxesOf(SERVICE_DOMAIN, Boolean(settings["EGRESS_URL"]));
  const returnPath = `*.return-path.${SERVICE_DOMAIN}`;
  const track = `*.track.${SERVICE_DOMAIN}`;
  const hosts = splitList(MX_HOST);
  const mailSet = (name: string): RecordSet => ({
    name,
    type: "MX",
    records: hosts.map((content, index) => ({
      type: "MX",
      name,
      content,
      priority: MX_STEP * (index + 1),
    })),
  });
  return [
    mailSet(returnPath),
    { name: returnPath, type: "TXT", records: [{ type: "TXT", name: returnPath, content: SPF }] },
    aliasSet(track, TRACK_TARGET, true),
    ...(MX_HOST === CLOUDFLARE_MX ? [] : mailboxes.toReversed()).map(({ host }) => ({
      ...mailSet(host),
      yields: true,
    })),
  ];
}

/** Returns the name of the fallback origin of tracking hosts. */
export function trackOrigin({ SERVICE_DOMAIN = "" }: SetupSettings): string {
  return `track.${SERVICE_DOMAIN}`;
}

/** Returns the fallback origin's record. The record names no server, because a worker answers. */
export function originSet(settings: SetupSettings): RecordSet {
  const name = trackOrigin(settings);
  return {
    name,
    type: "AAAA",
    records: [{ type: "AAAA", name, content: "100::", proxied: true }],
  };
}

/**
 * Returns the set of a CNAME. `proxied`: the CNAME points to a proxied host of the zone, as custom
 * hostnames require.
 */
export function aliasSet(name: string, content: string, proxied = false): RecordSet {
  return {
    name,
    type: "CNAME",
    records: [{ type: "CNAME", name, content, ...(proxied && { proxied }) }],
  };
}

/**
 * Decides what to do for one set. `standing` has all existing records of the name. `published` has
 * the records that set-up published earlier.
 */
export function planFor(
  set: RecordSet,
  standing: readonly ZoneRecord[],
  published: readonly PublishedRecord[],
): RecordPlan {
  const rivals = standing.filter((record) => isRival(set, record));
  const missing = set.records.filter((wanted) => !rivals.some((record) => isSame(record, wanted)));
  const strangers = rivals.filter(
    (record) => !set.records.some((wanted) => isSame(record, wanted)),
  );
  if (strangers.length === 0)
    return missing.length === 0 ? { kind: "present" } : { kind: "create", missing };
  const isOurs = strangers.every((record) =>
    published.some(
      (one) =>
        one.name === record.name && one.type === record.type && one.content === record.content,
    ),
  );
  return { kind: isOurs ? "change" : "conflict", standing: strangers };
}

/** Formats a record: `MX 10 mx.example.com`. */
export function formatRecord(record: NewRecord | ZoneRecord): string {
  return `${record.type} ${record.priority === null || record.priority === undefined ? "" : `${record.priority} `}${record.content}`;
}

/**
 * Tells whether an existing record and this set exclude each other. They do if both have an SPF
 * record, both have MX records, both have addresses, or one of them is a CNAME. Other TXT records
 * can stay.
 */
function isRival({ type }: RecordSet, record: ZoneRecord): boolean {
  if (record.type === "CNAME" || type === "CNAME") return true;
  if (type === "AAAA") return ADDRESS_TYPES.has(record.type);
  return record.type === type && (type === "MX" || isSpfRecord(record.content));
}

function isSame(record: ZoneRecord, wanted: NewRecord): boolean {
  return (
    record.type === wanted.type &&
    record.content === wanted.content &&
    (wanted.priority === undefined || record.priority === wanted.priority)
  );
}
