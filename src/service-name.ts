// Derives the name that identifies this service in Gmail's reports from the service's domain
// (docs/complaints.md). Gmail requires 5 to 15 characters that never change. Pure.
import { createHash } from "node:crypto";
import { settingProblem } from "./operator/setting-table.ts";

const BEGINNING_CHARACTERS = 8;
const HASH_DIGITS = 6;

/**
 * Returns the domain itself if it is a valid name. Otherwise returns its beginning and a hash of
 * it, so that no other domain gets the same name.
 */
export function nameAfter(domain: string): string {
  if (settingProblem("SERVICE_NAME", domain) === null) return domain;
  const beginning = domain.replaceAll(/[^a-z0-9.-]/gi, "").slice(0, BEGINNING_CHARACTERS);
  return `${beginning}-${createHash("sha256").update(domain).digest("hex").slice(0, HASH_DIGITS)}`;
}
