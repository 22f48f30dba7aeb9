// Writes the parameters of Content-Type and Content-Disposition (docs/architecture.md §Compose). A
// file name is written twice: by RFC 2231 for programs that follow the standard, and as an RFC 2047
// `name` for other programs. Keeps the parameters that a sender gave with an attachment's type.
// Pure.
import { encodeWords } from "../../lib/mime/encode-words.ts";
import { headerText, UNBROKEN_CHARACTERS } from "../../lib/mime/header-folding.ts";

const QUOTED_CHARACTERS = 60;
const SEGMENT_CHARACTERS = 50;
// Maximum length of an encoded word in `name`. The line also needs space for the parameter's name,
// its quotes and the separator.
const NAME_WORD_CHARACTERS = 64;
const QUOTABLE = /^[ !#-[\]-~]*$/;

const TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";
const MEDIA_TYPE = new RegExp(`^(${TOKEN}/${TOKEN}) *(?:;|$)`);
const PARAMETER = new RegExp(`; *(${TOKEN})=("(?:[ !#-[\\]-~]|\\\\[ -~])*"|${TOKEN})`, "g");
const MEDIA_TYPE_CHARACTERS = 512;
const ATTRIBUTE = new RegExp(`^${TOKEN}$`);
const ASCII = /^[\0-\x7f]*$/;
const BEYOND_ASCII = /[^\0-\x7f]/g;

interface MediaType {
  /** `type/subtype`, lower case. */
  readonly essence: string;
  /** Parameters as `name=value`, in order, without a file name. */
  readonly parameters: readonly string[];
}

/**
 * Reads a media type (RFC 2045 §5.1). Leaves out a malformed parameter. Undefined means that the
 * text is not a media type.
 */
export function parseMediaType(text: string): MediaType | undefined {
  const line = headerText(text).trim();
  const essence = MEDIA_TYPE.exec(line)?.[1];
  if (!essence || line.length > MEDIA_TYPE_CHARACTERS) return undefined;
  const parameters: string[] = [];
  for (const [, name = "", value = ""] of line.matchAll(PARAMETER)) {
    if (!/^name(?:\*|$)/i.test(name)) parameters.push(`${name}=${value}`);
  }
  return { essence: essence.toLowerCase(), parameters };
}

/**
 * Rewrites in ASCII the Content-Type or Content-Disposition of a submitted message, as header
 * tokens. Writes a value that is not ASCII, or too long for a line, by RFC 2231. Writes such a
 * value of the parameter `name` as an encoded word instead, because mail programs expect this.
 */
export function parametersInAscii(value: string): string[] {
  const [first = "", ...parameters] = splitAtSemicolons(value);
  const written = parameters.flatMap((parameter) => {
    if (ASCII.test(parameter) && parameter.length <= UNBROKEN_CHARACTERS)
      return parameter === "" ? [] : [[parameter]];
    const at = parameter.indexOf("=");
    const attribute = parameter.slice(0, Math.max(at, 0)).trim();
    const text = unquote(parameter.slice(at + 1).trim());
    if (!ATTRIBUTE.test(attribute)) return [];
    return attribute.toLowerCase() === "name"
      ? [nameTokens(text)]
      : extendedParameters(attribute, text).map((one) => [one]);
  });
  const groups = [[first.replace(BEYOND_ASCII, "").slice(0, UNBROKEN_CHARACTERS)], ...written];
  return groups.flatMap((tokens, index) =>
    index === groups.length - 1 ? tokens : [...tokens.slice(0, -1), `${tokens.at(-1) ?? ""};`],
  );
}

/**
 * Writes the `name` parameter of a Content-Type, as tokens between which the header may be folded.
 * RFC 2047 forbids encoded words inside quotes, but every mail program reads them.
 */
export function nameTokens(filename: string): readonly string[] {
  const name = headerText(filename);
  if (isQuotable(name)) return [`name="${name}"`];
  return `name="${encodeWords(name, NAME_WORD_CHARACTERS, NAME_WORD_CHARACTERS).join(" ")}"`.split(
    " ",
  );
}

/** Returns the tokens of `first; a=1; b=2`. The header may be folded before each parameter. */
export function parameterTokens(first: string, parameters: readonly string[]): string[] {
  const tokens = [first, ...parameters];
  return tokens.map((token, index) => (index === tokens.length - 1 ? token : `${token};`));
}

/**
 * Writes a parameter by RFC 2231, such as the `filename` of a Content-Disposition. A long text is
 * split into segments.
 */
export function extendedParameters(attribute: string, text: string): readonly string[] {
  const value = headerText(text);
  if (isQuotable(value)) return [`${attribute}="${value}"`];
  const segments = extendedSegments(value);
  if (segments.length === 1) return [`${attribute}*=utf-8''${segments[0]}`];
  return segments.map(
    (segment, index) => `${attribute}*${index}*=${index === 0 ? "utf-8''" : ""}${segment}`,
  );
}

/** Splits a header value at its semicolons, except in quoted strings, and trims the pieces. */
function splitAtSemicolons(value: string): string[] {
  const pieces: string[] = [""];
  let isQuoted = false;
  for (let at = 0; at < value.length; at += 1) {
    const character = value.charAt(at);
    if (character === "\\" && isQuoted) {
      pieces.push((pieces.pop() ?? "") + value.slice(at, at + 2));
      at += 1;
      continue;
    }
    if (character === '"') isQuoted = !isQuoted;
    if (character === ";" && !isQuoted) pieces.push("");
    else pieces.push((pieces.pop() ?? "") + character);
  }
  return pieces.map((piece) => piece.trim());
}

function unquote(text: string): string {
  return text.startsWith('"') ? text.replace(/^"|"$/g, "").replace(/\\(.)/g, "$1") : text;
}

function isQuotable(name: string): boolean {
  return (
    name.length <= QUOTED_CHARACTERS &&
    QUOTABLE.test(name) &&
    !name.includes("=?") &&
    name.trim() === name
  );
}

/**
 * Splits a name into percent-encoded segments of whole characters, because some programs decode
 * each segment separately.
 */
function extendedSegments(name: string): string[] {
  const segments: string[] = [];
  let segment = "";
  for (const character of name) {
    const encoded = encodeURIComponent(character).replace(
      /['()*]/g,
      (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
    );
    if (segment.length + encoded.length > SEGMENT_CHARACTERS) {
      segments.push(segment);
      segment = "";
    }
    segment += encoded;
  }
  segments.push(segment);
  return segments;
}
