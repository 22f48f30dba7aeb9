// Checks the name that identifies this service in Gmail's reports, and derives one from the
// service's domain (docs/complaints.md). Gmail requires 5 to 15 characters that never change. Pure.
import { createHash } from "node:crypto";

const NAME = /^[a-z0-9.-]{5,15}$/i;
const BEGINNING_CHARACTERS = 8;
const HASH_DIGITS = 6;

/** Reads SERVICE_NAME. By default, derives a name from the service domain. Throws a plain Error. */
export function serviceNameOf(given: string | undefined, domain: string): string {
  const name = given || nameAfter(domain);
  if (NAME.test(name)) return name;
  throw new Error("setting SERVICE_NAME must be 5 to 15 letters, digits, dots and hyphens");
}

/**
 * Returns the domain itself if it is a valid name. Otherwise returns its beginning and a hash of
 * it, so that no other domain gets the same name.
 */
function nameAfter(domain: string): string {
  if (NAME.test(domain)) return domain;
  const beginning = domain.replaceAll(/[^a-z0-9.-]/gi, "").slice(0, BEGINNING_CHARACTERS);
  return `${beginning}-${createHash("sha256").update(domain).digest("hex").slice(0, HASH_DIGITS)}`;
}
