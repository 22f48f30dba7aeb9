// The List-Unsubscribe headers of a copy (contract.md §Generated unsubscribe links; RFC 2369, RFC
// 8058). The caller's own entries pass through, mended into `<uri>` form; what can't be mended is
// left out, as if it had not been given. The generated link goes before entries that know no
// one-click posts, such as `mailto:`, and gives way to an https link of the caller's. Pure.

type Header = readonly [name: string, value: string];

const NAME = "List-Unsubscribe";
const POST = "List-Unsubscribe-Post";
const ONE_CLICK = "List-Unsubscribe=One-Click";

const WELL_FORMED =
  /^<[a-z][a-z0-9+.-]*:[^<>\s"]+>(?:[ \t]*,[ \t]*<[a-z][a-z0-9+.-]*:[^<>\s"]+>)*$/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:[^:]/i;
const ADDRESS = /^[^\s@<>:,;"()]+@[^\s@<>:,;"()]+$/;
const SECURE = /^<https:/i;
/** Parts a list of entries, of which none holds a bracket. */
const BETWEEN = /,\s*(?=<)/;
const BARE = /^(?:https?:|mailto:)/i;
/**
 * Ends something that stands without brackets: white space, a bracket, or a separator with another
 * entry or nothing behind it.
 */
const BARE_END = /[\s<>"]|[,;](?=\s|<|"|$|https?:|mailto:)/gi;
const SEPARATORS = /[\s,;>"]*/y;
const COMMENT = /\([^()]*\)/y;
const AROUND = /[\s"',;]/;

/**
 * The headers with what they say about unsubscribing put right. `url`: the recipient's own link;
 * null: none is to be added.
 */
export function withListUnsubscribe(
  headers: readonly Header[],
  url: string | null,
): readonly Header[] {
  if (headers.length === 0 && url === null) return headers;
  const own = headers.filter(([name]) => is(name, NAME)).flatMap(([, value]) => mend(value) ?? []);
  // A caller may write the generated link itself, by `{{unsubscribe_url}}`.
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
 * Each of the two headers stands once (RFC 2369 §3, RFC 8058 §3.1), at the place of the caller's
 * first one, or last. `value`: of List-Unsubscribe, empty: there is none. `mayPost`: whether its
 * link takes one-click posts, which the caller or the service (`posts`) announces.
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
    if (own === undefined) return is(name, NAME) || is(name, POST) ? [] : [[name, given]];
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
 * The targets of a message's own List-Unsubscribe: links to them in its body are no ordinary links.
 */
export function listUnsubscribeTargets(headers: readonly Header[]): string[] {
  return headers
    .filter(([name]) => is(name, NAME))
    .flatMap(([, value]) =>
      Array.from((mend(value) ?? "").matchAll(/<([^<>]*)>/g), ([, url = ""]) => url),
    );
}

/** Makes a list of `<URI>` of what was meant as one; null: nothing in it can be recognised. */
export function mend(value: string): string | null {
  const text = unescaped(value.trim());
  if (WELL_FORMED.test(text)) return text;
  const entries = entriesIn(text);
  return entries.length === 0 ? null : entries.map((entry) => `<${entry}>`).join(", ");
}

function entriesIn(text: string): string[] {
  const entries: string[] = [];
  for (let at = behind(SEPARATORS, text, 0); at < text.length; at = behind(SEPARATORS, text, at)) {
    const comment = text[at] === "(" ? behind(COMMENT, text, at) : at;
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

/** Up to the closing bracket, or to where the next one opens. */
function endOfBracket(text: string, from: number): number {
  const end = text.slice(from).search(/[<>]/);
  return end < 0 ? text.length : from + end;
}

function endOfBare(text: string, from: number): number {
  BARE_END.lastIndex = from;
  return BARE_END.exec(text)?.index ?? text.length;
}

/**
 * White space inside brackets means nothing (RFC 2369 section 2), but between the words of a mail's
 * subject it was meant.
 */
function uriOf(written: string, bracketed: boolean): string | undefined {
  const trimmed = bare(written);
  const query = /^mailto:/i.test(trimmed) ? trimmed.indexOf("?") : -1;
  const entry = (
    query < 0
      ? trimmed
      : trimmed.slice(0, query) + trimmed.slice(query).replace(/(?<![?&=\s])\s+(?![?&=\s])/g, "%20")
  ).replace(/\s+/g, "");
  if (ADDRESS.test(entry)) return `mailto:${entry}`;
  return (bracketed ? SCHEME : BARE).test(entry) ? entry : undefined;
}

/** Without what may stand around an entry. */
function bare(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && AROUND.test(text.charAt(start))) start += 1;
  while (start < end && AROUND.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Brackets that went through an HTML form. */
function unescaped(text: string): string {
  return text.replace(/&lt;/gi, "<").replace(/&gt;/gi, ">");
}

function behind(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

function is(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}
