// Ids as Resend writes them: bare UUIDs. Ours have the type before them (contract.md §Identifiers
// and times), and requests may use either.
import { type IdPrefix, isUuid } from "../../lib/ids.ts";

/** `email_<uuid>` → `<uuid>`. Another text stays. */
export function bareId(id: string): string {
  const [, uuid] = /^[a-z]+_(.+)$/.exec(id) ?? [];
  return uuid !== undefined && isUuid(uuid) ? uuid : id;
}

/** `<uuid>` → `email_<uuid>`. Another text stays: our own id, a template's alias. */
export function ownId(prefix: IdPrefix | "email", text: string): string {
  return isUuid(text) ? `${prefix}_${text.toLowerCase()}` : text;
}

/** The id as a segment of one of our paths. */
export function idSegment(prefix: IdPrefix | "email", text: string | undefined): string {
  return segmentOf(ownId(prefix, text ?? ""));
}

/** A text as a segment of a path. URLs leave out segments of dots, so that another text stands in. */
export function segmentOf(text: string): string {
  return /^\.{0,2}$/.test(text) ? "-" : encodeURIComponent(text);
}
