// Prepares a sent message's HTML for the console's frame. The frame loads nothing from the service.
// So files that the HTML shows by their content ids become data URLs. Pure.
import { decoded } from "../../parts/decoded.ts";

/**
 * The most characters of HTML and files together. The limit is below the size of the preview's
 * form.
 */
const MOST_CHARACTERS = 3_500_000;
const CID = /\bcid:([^"'\s)>]+)/gi;
const REMOTE = /(?:\b(?:src|srcset|background)\s*=\s*["']?|url\(\s*["']?)\s*(?:https?:)?\/\//i;

/**
 * Inserts files. `files` has data URLs by content id. A file that is missing or too large for the
 * limit is not inserted.
 */
export function withFiles(html: string, files: ReadonlyMap<string, string>): string {
  let room = MOST_CHARACTERS - html.length;
  return html.replace(CID, (whole, written: string) => {
    const data = files.get(written) ?? files.get(decoded(written));
    if (data === undefined || data.length > room) return whole;
    room -= data.length;
    return data;
  });
}

/** Tells whether the HTML shows images from other servers. */
export function hasRemoteImages(html: string): boolean {
  return REMOTE.test(html);
}

export function dataUrl(type: string, bytes: Uint8Array): string {
  let octets = "";
  for (const byte of bytes) octets += String.fromCharCode(byte);
  return `data:${type};base64,${btoa(octets)}`;
}
