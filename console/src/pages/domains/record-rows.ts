// Combines each record of a domain with its answer from DNS, and adds the record's full name. Pure.
import type {
  CourierDnsRecord,
  Domain,
  DomainDnsRecord,
} from "../../../../packages/postern/src/generated/types.ts";

export type DomainRecords = Pick<
  Domain,
  "name" | "dns_records" | "tracking" | "courier_dns_records"
>;
type ListedRecord = Domain["dns_records"][number] | CourierDnsRecord;

/**
 * The customer publishes the groups `sending` and `tracking`. Cloudflare publishes the group
 * `courier`.
 */
export type RecordGroup = "sending" | "tracking" | "courier";

export type RecordRow = ListedRecord & {
  /** The record's full DNS name, without the final dot. */
  readonly host: string;
  readonly group: RecordGroup;
  /** False: the record is for tracking, and tracking is off. */
  readonly isNeeded: boolean;
  /** Null: DNS was not asked yet. */
  readonly seen: DomainDnsRecord | null;
};

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
  seen: readonly DomainDnsRecord[] | null,
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

function isOf(seen: DomainDnsRecord, { type, name, value }: ListedRecord): boolean {
  return seen.type === type && seen.name === name && seen.expected === value;
}
