// Makes entity tags, and compares them with the tags of an If-Match header (RFC 9110 §8.8.3,
// §13.1.1). Pure.
import { createHash } from "node:crypto";

const ETAG_CHARACTERS = 22;
/** Matches one entity tag of a list. A weak tag has `W/` before it. */
const TAG = /(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

/**
 * Returns the entity tag of `content`, the part of a resource that a write can replace. Equal JSON
 * has equal tags.
 */
export function etagOf(content: unknown): string {
  const digest = createHash("sha256").update(JSON.stringify(content)).digest("base64url");
  return `"${digest.slice(0, ETAG_CHARACTERS)}"`;
}

/**
 * Tells whether an If-Match header names the current tag, or is `*`. A weak tag counts like a
 * strong one, because Cloudflare makes the tags of compressed responses weak.
 */
export function isMatch(header: string, current: string): boolean {
  if (header.trim() === "*") return true;
  return [...header.matchAll(TAG)].some(([, tag = ""]) => `"${tag}"` === current);
}
