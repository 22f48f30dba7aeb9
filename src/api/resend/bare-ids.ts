// Converts ids to Resend's form, a bare UUID, and back. Postern's ids have a type before the UUID
// (contract.md §Identifiers and times). Requests may use either form.
import { type IdPrefix, isUuid } from "../../lib/ids.ts";

/** Turns `email_<uuid>` into `<uuid>`. Any other text stays unchanged. */
export function bareId(id: string): string {
  const [, uuid] = /^[a-z]+_(.+)$/.exec(id) ?? [];
  return uuid !== undefined && isUuid(uuid) ? uuid : id;
}

/**
 * Turns `<uuid>` into `email_<uuid>`. Any other text stays unchanged, such as an id with Postern's
 * prefix or a template's alias.
 */
export function ownId(prefix: IdPrefix | "email", text: string): string {
  return isUuid(text) ? `${prefix}_${text.toLowerCase()}` : text;
}

/** Encodes an id as a segment of one of Postern's paths. */
export function idSegment(prefix: IdPrefix | "email", text: string | undefined): string {
  return segmentOf(ownId(prefix, text ?? ""));
}

/**
 * Encodes a text as a segment of a path. Replaces a text that consists only of dots, because URLs
 * drop such segments.
 */
export function segmentOf(text: string): string {
  return /^\.{0,2}$/.test(text) ? "-" : encodeURIComponent(text);
}
