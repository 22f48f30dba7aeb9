// The List-Unsubscribe headers of a copy (spec.md "Send request", rule 4; RFC 2369, RFC 8058). A caller's own always passes through, mended where that can be
// done; the service's own link is added where the message asks for one and has no other. Pure.

type Header = readonly [name: string, value: string];

const NAME = "List-Unsubscribe";
const POST = "List-Unsubscribe-Post";
const ONE_CLICK = "List-Unsubscribe=One-Click";

const WELL_FORMED = /^<[a-z][a-z0-9+.-]*:[^<>\s"]+>(?:[ \t]*,[ \t]*<[a-z][a-z0-9+.-]*:[^<>\s"]+>)*$/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:[^:]/i;
const ADDRESS = /^[^\s@<>:,;"()]+@[^\s@<>:,;"()]+$/;
const SECURE = /^<https:/i;
const BARE = /^(?:https?:|mailto:)/i;
/** Ends something that stands without brackets: white space, a bracket, or a separator with another entry or nothing behind it. */
const BARE_END = /[\s<>"]|[,;](?=\s|<|"|$|https?:|mailto:)/gi;
const SEPARATORS = /[\s,;>"]*/y;
const COMMENT = /\([^()]*\)/y;
const AROUND = /[\s"',;]/;

/** The headers with what they say about unsubscribing put right. `url`: the recipient's own link; null: none is to be added. */
export function withListUnsubscribe(headers: readonly Header[], url: string | null): readonly Header[] {
  if (headers.length === 0 && url === null) return headers;
  const others = headers.filter(([name]) => !is(name, NAME) && !is(name, POST));
  const own = headers.filter(([name]) => is(name, NAME));
  if (own.length > 0) return mendedInPlace(headers);
  return url === null ? others : [...others, [NAME, `<${url}>`], [POST, ONE_CLICK]];
}

/** The targets of a message's own List-Unsubscribe: links to them in its body are no ordinary links. */
export function listUnsubscribeTargets(headers: readonly Header[]): string[] {
  return headers
    .filter(([name]) => is(name, NAME))
    .flatMap(([, value]) => Array.from(mend(value).matchAll(/<([^<>]*)>/g), ([, url = ""]) => url));
}

/** Makes a list of `<URI>` of what was meant as one. What can't be recognised as anything stays as it is. */
export function mend(value: string): string {
  const text = unescaped(value.trim());
  if (WELL_FORMED.test(text)) return text;
  const entries = entriesIn(text);
  return entries.length === 0 ? value : entries.map((entry) => `<${entry}>`).join(", ");
}

/** One-click posts need an https link, and the header that announces them has one value only (RFC 8058 section 3.1). */
function mendedInPlace(headers: readonly Header[]): Header[] {
  const mended = headers.map(([name, value]): Header => (is(name, NAME) ? [name, mend(value)] : [name, value]));
  const isSecure = mended.some(([name, value]) => is(name, NAME) && value.split(/,\s*(?=<)/).some((entry) => SECURE.test(entry)));
  return mended.flatMap(([name, value]): Header[] => (is(name, POST) ? (isSecure ? [[name, ONE_CLICK]] : []) : [[name, value]]));
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

/** White space inside brackets means nothing (RFC 2369 section 2), but between the words of a mail's subject it was meant. */
function uriOf(written: string, bracketed: boolean): string | undefined {
  const trimmed = bare(written);
  const query = /^mailto:/i.test(trimmed) ? trimmed.indexOf("?") : -1;
  const entry = (
    query < 0 ? trimmed : trimmed.slice(0, query) + trimmed.slice(query).replace(/(?<![?&=\s])\s+(?![?&=\s])/g, "%20")
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
