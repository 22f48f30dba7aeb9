// Writes the List-Unsubscribe headers of a copy (contract.md §Generated unsubscribe links; RFC
// 2369, RFC 8058). Repairs the caller's own entries into `<uri>` form, and leaves out an entry that
// cannot be repaired. The generated link comes before entries that support no one-click posts, such
// as `mailto:`. If the caller gives an https link, no generated link is added. Pure.

type Header = readonly [name: string, value: string];

const NAME = "List-Unsubscribe";
const POST = "List-Unsubscribe-Post";
const ONE_CLICK = "List-Unsubscribe=One-Click";

const WELL_FORMED =
  /^<[a-z][a-z0-9+.-]*:[^<>\s"]+>(?:[ \t]*,[ \t]*<[a-z][a-z0-9+.-]*:[^<>\s"]+>)*$/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:[^:]/i;
const ADDRESS = /^[^\s@<>:,;"()]+@[^\s@<>:,;"()]+$/;
const SECURE = /^<https:/i;
/** Separates the entries of a repaired list. */
const BETWEEN = /,\s*(?=<)/;
const BARE = /^(?:https?:|mailto:)/i;
/**
 * Matches the end of an entry without brackets: white space, a bracket, a quote or a separator. A
 * separator counts only if it is at the end or another entry follows.
 */
const BARE_END = /[\s<>"]|[,;](?=\s|<|"|$|https?:|mailto:)/gi;
const SEPARATORS = /[\s,;>"]*/y;
const COMMENT = /\([^()]*\)/y;
const AROUND = /[\s"',;]/;

/**
 * Repairs the unsubscribe headers among `headers`, and adds missing headers. `url` is the
 * recipient's own link. Null means that no link is added.
 */
export function withListUnsubscribe(
  headers: readonly Header[],
  url: string | null,
): readonly Header[] {
  if (headers.length === 0 && url === null) return headers;
  const own = headers
    .filter(([name]) => isNamed(name, NAME))
    .flatMap(([, value]) => repairUriList(value) ?? []);
  // A caller may have written the generated link itself, as `{{unsubscribe_url}}`.
  const entries = own
    .flatMap((value) => value.split(BETWEEN))
    .filter((entry) => entry !== `<${url}>`);
  const isSecure = entries.some((entry) => SECURE.test(entry));
  const generates = url !== null && !isSecure;
  return withFields(
    headers,
    generates ? [`<${url}>`, ...entries].join(", ") : own.join(", "),
    generates || isSecure,
    generates,
  );
}

/**
 * Writes List-Unsubscribe and List-Unsubscribe-Post once each (RFC 2369 §3, RFC 8058 §3.1), at the
 * position of the caller's first header of that name. `value` is the value of List-Unsubscribe. ""
 * means that the header is left out. `mayPost` means that a link in the header supports one-click
 * posts. `posts` means that the header has the generated link. Then each of the two headers that
 * the caller did not give is added at the end.
 */
function withFields(
  headers: readonly Header[],
  value: string,
  mayPost: boolean,
  posts: boolean,
): Header[] {
  const wanted = new Map([
    [NAME.toLowerCase(), value],
    [POST.toLowerCase(), mayPost ? ONE_CLICK : ""],
  ]);
  const placed = headers.flatMap(([name, given]): Header[] => {
    const own = wanted.get(name.toLowerCase());
    if (own === undefined) return isNamed(name, NAME) || isNamed(name, POST) ? [] : [[name, given]];
    wanted.delete(name.toLowerCase());
    return own === "" ? [] : [[name, own]];
  });
  const isMissing = (name: string): boolean => posts && wanted.has(name.toLowerCase());
  return [
    ...placed,
    ...(isMissing(NAME) ? [[NAME, value] as const] : []),
    ...(isMissing(POST) ? [[POST, ONE_CLICK] as const] : []),
  ];
}

/**
 * Reads the targets of a message's own List-Unsubscribe. A link to such a target in the body is an
 * unsubscribe link and is not tracked.
 */
export function listUnsubscribeTargets(headers: readonly Header[]): string[] {
  return headers
    .filter(([name]) => isNamed(name, NAME))
    .flatMap(([, value]) =>
      Array.from((repairUriList(value) ?? "").matchAll(/<([^<>]*)>/g), ([, url = ""]) => url),
    );
}

/**
 * Repairs a value into a list of `<URI>`. Null means that no part of the value can be recognised.
 */
function repairUriList(value: string): string | null {
  const text = unescapeBrackets(value.trim());
  if (WELL_FORMED.test(text)) return text;
  const entries = readEntries(text);
  return entries.length === 0 ? null : entries.map((entry) => `<${entry}>`).join(", ");
}

function readEntries(text: string): string[] {
  const entries: string[] = [];
  for (let at = skip(SEPARATORS, text, 0); at < text.length; at = skip(SEPARATORS, text, at)) {
    const comment = text[at] === "(" ? skip(COMMENT, text, at) : at;
    if (comment > at) {
      at = comment;
      continue;
    }
    const bracketed = text[at] === "<";
    const end = bracketed ? endOfBracket(text, at + 1) : endOfBare(text, at + 1);
    const entry = uriOf(text.slice(bracketed ? at + 1 : at, end), bracketed);
    if (entry !== undefined) entries.push(entry);
    at = Math.max(end, at + 1);
  }
  return entries;
}

/** Returns the offset of the closing bracket, or of the next opening bracket. */
function endOfBracket(text: string, from: number): number {
  const end = text.slice(from).search(/[<>]/);
  return end < 0 ? text.length : from + end;
}

function endOfBare(text: string, from: number): number {
  BARE_END.lastIndex = from;
  return BARE_END.exec(text)?.index ?? text.length;
}

/**
 * Reads one entry. White space inside brackets has no meaning (RFC 2369 §2), except between the
 * words of a `mailto:` link's parameters, e.g. its subject.
 */
function uriOf(written: string, bracketed: boolean): string | undefined {
  const trimmed = trimEntry(written);
  const query = /^mailto:/i.test(trimmed) ? trimmed.indexOf("?") : -1;
  const entry = (
    query < 0
      ? trimmed
      : trimmed.slice(0, query) + trimmed.slice(query).replace(/(?<![?&=\s])\s+(?![?&=\s])/g, "%20")
  ).replace(/\s+/g, "");
  if (ADDRESS.test(entry)) return `mailto:${entry}`;
  return (bracketed ? SCHEME : BARE).test(entry) ? entry : undefined;
}

/** Removes white space, quotes and separators around an entry. */
function trimEntry(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && AROUND.test(text.charAt(start))) start += 1;
  while (start < end && AROUND.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Restores angle brackets that an HTML form had escaped. */
function unescapeBrackets(text: string): string {
  return text.replace(/&lt;/gi, "<").replace(/&gt;/gi, ">");
}

function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

function isNamed(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}
