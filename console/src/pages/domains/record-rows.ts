// Combines each record of a domain with its answer from DNS, and adds the record's full name. Pure.

/** The fields of a domain from which this file makes the rows of records, named as in the API. */
export interface DomainRecords {
  readonly name: string;
  readonly dns_records: readonly ListedRecord[];
  readonly tracking: {
    readonly status: "disabled" | "pending" | "verified";
    readonly dns_records: readonly ListedRecord[];
  };
  readonly courier_dns_records?: readonly ListedRecord[];
}

interface ListedRecord {
  readonly type: "CNAME" | "MX" | "TXT";
  /** The name as a person types it into the editor of the DNS zone. */
  readonly name: string;
  /** Null: only Cloudflare knows the value. */
  readonly value: string | null;
  readonly purpose: string;
}

export interface SeenRecord {
  readonly type: string;
  readonly name: string;
  readonly expected: string | null;
  readonly status: "ok" | "missing" | "mismatch" | "unknown";
  readonly found: readonly string[];
  readonly message: string;
}

/**
 * The customer publishes the groups `sending` and `tracking`. Cloudflare publishes the group
 * `courier`.
 */
export type RecordGroup = "sending" | "tracking" | "courier";

export interface RecordRow extends ListedRecord {
  /** The record's full DNS name, without the final dot. */
  readonly host: string;
  readonly group: RecordGroup;
  /** False: the record is for tracking, and tracking is off. */
  readonly isNeeded: boolean;
  /** Null: DNS was not asked yet. */
  readonly seen: SeenRecord | null;
}

/** The first DNS label of the verification record, which every domain has (docs/dns.md). */
const RETURN_PATH_LABEL = "bounces";

/** Returns the name of the DNS zone in which the domain's records are published. */
export function zoneOf({ name, dns_records: records }: DomainRecords): string {
  const host = `${RETURN_PATH_LABEL}.${name}`;
  const listed = records.find(({ purpose }) => purpose === "verification")?.name;
  return listed !== undefined && host.startsWith(`${listed}.`)
    ? host.slice(listed.length + 1)
    : name;
}

/**
 * Returns all records of a domain. `seen` has the answers from DNS. Null: DNS was not asked yet.
 */
export function recordRows(
  domain: DomainRecords,
  seen: readonly SeenRecord[] | null,
): readonly RecordRow[] {
  const zone = zoneOf(domain);
  const toRow =
    (group: RecordGroup) =>
    (record: ListedRecord): RecordRow => ({
      ...record,
      host: `${record.name}.${zone}`,
      group,
      isNeeded: group !== "tracking" || domain.tracking.status !== "disabled",
      seen: seen?.find((one) => isOf(one, record)) ?? null,
    });
  return [
    ...domain.dns_records.map(toRow("sending")),
    ...domain.tracking.dns_records.map(toRow("tracking")),
    ...(domain.courier_dns_records ?? []).map(toRow("courier")),
  ];
}

/** Returns the records that the domain needs for verification. */
export function neededRows(rows: readonly RecordRow[]): readonly RecordRow[] {
  return rows.filter(({ group }) => group !== "tracking");
}

function isOf(seen: SeenRecord, { type, name, value }: ListedRecord): boolean {
  return seen.type === type && seen.name === name && seen.expected === value;
}
