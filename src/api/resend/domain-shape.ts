// A sending domain as Resend shows it (docs/from-resend.md §Domains). Pure.
import type * as z from "zod";
import type { JsonObject } from "../../mail/accept/fields.ts";
import type { Domain } from "../../resources/domains/wire.ts";
import { bareId } from "./bare-ids.ts";

export type OwnDomain = z.output<typeof Domain>;

/**
 * The region that every domain shows, because Postern has no regions. Some client libraries accept
 * only regions from a fixed list, and this region is in it.
 */
const REGION = "us-east-1";
/**
 * The priority that the answer shows for all MX records. Cloudflare chooses the real priorities.
 */
const MX_PRIORITY = 10;

const RECORDS = {
  verification: "SPF",
  dkim: "DKIM",
  tracking: "Tracking",
  bounces: "SPF",
  spf: "SPF",
} as const;

export function toResendDomain(domain: OwnDomain): JsonObject {
  return { object: "domain", ...toListedDomain(domain), records: recordsOf(domain) };
}

export function toListedDomain(domain: OwnDomain): JsonObject {
  const { tracking } = domain;
  return {
    id: bareId(domain.id),
    name: domain.name,
    status: statusOf(domain),
    created_at: domain.created_at,
    region: REGION,
    capabilities: { sending: "enabled", receiving: "disabled" },
    open_tracking: tracking.opens_enabled,
    click_tracking: tracking.clicks_enabled,
    ...(tracking.subdomain !== null && { tracking_subdomain: tracking.subdomain }),
  };
}

function recordsOf(domain: OwnDomain): JsonObject[] {
  const { tracking, dns_records: own, courier_dns_records: couriers = [] } = domain;
  return [
    ...[...own, ...couriers].map((record) => toRecord(record, statusOf(domain))),
    ...tracking.dns_records.map((record) => toRecord(record, statusOf(tracking))),
  ];
}

function toRecord(
  { type, name, value, purpose }: DnsRecord,
  status: ReturnType<typeof statusOf>,
): JsonObject {
  return {
    record: RECORDS[purpose],
    name,
    type,
    // The value is empty if only Cloudflare knows the record's value.
    value: value ?? "",
    ttl: "Auto",
    status,
    ...(type === "MX" && { priority: MX_PRIORITY }),
  };
}

interface DnsRecord {
  readonly type: string;
  readonly name: string;
  readonly value: string | null;
  readonly purpose: keyof typeof RECORDS;
}

/**
 * Converts a verification status. Never shows a domain as failed, because a later check may still
 * succeed.
 */
function statusOf({
  status,
  verification_failure: failure,
}: Pick<OwnDomain | OwnDomain["tracking"], "status" | "verification_failure">):
  | "not_started"
  | "pending"
  | "verified" {
  if (status === "verified") return "verified";
  return failure === null ? "not_started" : "pending";
}
