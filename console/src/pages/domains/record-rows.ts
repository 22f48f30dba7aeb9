// Joins a domain's records with what DNS has for them, and names each one wholly. Pure.

/** The members of a domain that its records need, as the API writes them. */
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
  /** The name, as one types it into the zone's editor. */
  readonly name: string;
  /** Null: only Cloudflare knows it. */
  readonly value: string | null;
  readonly purpose: string;
}

/** A record as seen in DNS. */
export interface SeenRecord {
  readonly type: string;
  readonly name: string;
  readonly expected: string | null;
  readonly status: "ok" | "missing" | "mismatch" | "unknown";
  readonly found: readonly string[];
  readonly message: string;
}

/** `sending` and `tracking` are the customer's to publish, `courier` is what Cloudflare publishes. */
export type RecordGroup = "sending" | "tracking" | "courier";

export interface RecordRow extends ListedRecord {
  /** The whole name, without the final dot. */
  readonly host: string;
  readonly group: RecordGroup;
  /** False: nothing needs it while tracking is off. */
  readonly isNeeded: boolean;
  /** Null: DNS was not asked yet. */
  readonly seen: SeenRecord | null;
}

/** Label of the record that every domain has (docs/dns.md). */
const RETURN_PATH_LABEL = "bounces";

/** Returns the name of the zone that the domain's records go into. */
export function zoneOf({ name, dns_records: records }: DomainRecords): string {
  const host = `${RETURN_PATH_LABEL}.${name}`;
  const listed = records.find(({ purpose }) => purpose === "verification")?.name;
  return listed !== undefined && host.startsWith(`${listed}.`)
    ? host.slice(listed.length + 1)
    : name;
}

/** Returns all records of a domain. `seen` is what DNS has for them; null: it was not asked yet. */
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

/** Returns the records that a domain's verification needs. */
export function neededRows(rows: readonly RecordRow[]): readonly RecordRow[] {
  return rows.filter(({ group }) => group !== "tracking");
}

function isOf(seen: SeenRecord, { type, name, value }: ListedRecord): boolean {
  return seen.type === type && seen.name === name && seen.expected === value;
}
