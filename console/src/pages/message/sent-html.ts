// Prepares a sent message's HTML for the console's frame: files that the HTML shows by their
// content ids become data, because the frame loads nothing from the service. Pure.

/** The most characters of HTML and files together, below the size of the preview's form. */
const MOST_CHARACTERS = 3_500_000;
const CID = /\bcid:([^"'\s)>]+)/gi;
const REMOTE = /(?:\b(?:src|srcset|background)\s*=\s*["']?|url\(\s*["']?)\s*(?:https?:)?\/\//i;

/** `files`: data URLs by content id. A file that is missing or has no room stays as it was. */
export function withFiles(html: string, files: ReadonlyMap<string, string>): string {
  let room = MOST_CHARACTERS - html.length;
  return html.replace(CID, (whole, written: string) => {
    const data = files.get(written) ?? files.get(decoded(written));
    if (data === undefined || data.length > room) return whole;
    room -= data.length;
    return data;
  });
}

/** Tells whether the HTML shows images that other servers have. */
export function hasRemoteImages(html: string): boolean {
  return REMOTE.test(html);
}

export function dataUrl(type: string, bytes: Uint8Array): string {
  let octets = "";
  for (const byte of bytes) octets += String.fromCharCode(byte);
  return `data:${type};base64,${btoa(octets)}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
