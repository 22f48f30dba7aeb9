// Finds HTML and CSS that the chosen mail programs drop, by the data of caniemail.com. A dropped
// feature that carries content or layout is a warning. All other dropped features together are one
// note: without decoration or conditional styles, people can still read the mail. Pure.
import { cssParts, type CssPart } from "../css-parts.ts";
import { ChosenClients } from "../client-support.ts";
import type { CheckedMail, LintChoices, MarkupPosition, AddProblem } from "../checked-mail.ts";
import type { HtmlTag, HtmlVisitor } from "../html-visitor.ts";
import { isMark } from "../tag-marks.ts";

/**
 * Features that carry content or its order. If a program drops such a feature, readers lose the
 * content or its order.
 */
const ESSENTIAL = new Set([
  "<audio>",
  "<base>",
  "<dialog>",
  "<form>",
  "<input type=checkbox>",
  "<input type=radio>",
  "<input type=text>",
  "<link>",
  "<meter>",
  "<object>",
  "<progress>",
  "<select>",
  "<svg>",
  "<textarea>",
  "<video>",
  ".avif",
  ".bmp",
  ".heic",
  ".heif",
  ".mp4",
  ".svg",
  ".tif",
  ".tiff",
  ".webp",
  "clamp()",
  "display:flex",
  "display:grid",
  "display:inline-flex",
  "display:inline-grid",
  "light-dark()",
  "position",
  "var()",
]);
/** Values of `position` that change nothing if a program drops them. */
const PLAIN_POSITION = /^(?:static|relative|inherit|initial|unset)/;
const FUNCTION = /(?<![a-z-])([a-z-]{1,40})\(/g;
const UNIT = /(?<![\w.-])[\d.]+(ch|cm|ex|in|mm|pc|rem|vh|vmax|vmin|vw)\b/g;
const PSEUDO = /::?[a-z-]+/g;
const FILE_TYPE = /\.([a-z0-9]{2,5})(?:[?#]|$)/i;
const VALUES = new Set(["display", "flex-direction", "flex-wrap"]);
/** Attributes without an effect of their own. */
const SILENT = new Set(["[role]", "[lang]", "[dir]", "[target]", "[aria-hidden]", "[aria-label]"]);
/** Types of scripts that contain data, such as the actions that Gmail shows beside a subject. */
const DATA_TYPE = /^application\/(?:ld\+)?json$/i;
const SCRIPT = {
  message: "Every mail program drops `<script>`.",
  help: "Do without it: no mail program runs programs that came by mail.",
};
const WEB_FONTS = /^(?:https?:)?\/\/(?:fonts|use\.typekit)\./i;
const FEATURES_LISTED = 6;
const VALUE_CHARACTERS = 2_000;

interface Seen {
  readonly at: MarkupPosition;
  readonly clients: string;
  readonly slug: string;
  /** The number of programs that drop the feature. */
  readonly count: number;
  readonly isEssential: boolean;
}

export function beginClientSupport(
  _: CheckedMail,
  report: AddProblem,
  { clients: names, support }: LintChoices,
): HtmlVisitor {
  const clients = new ChosenClients(support, names);
  const seen = new Map<string, Seen>();
  const note = (
    feature: string,
    at: MarkupPosition,
    isForWord: boolean,
    isConditional: boolean,
  ) => {
    const isEssential = ESSENTIAL.has(feature) && !isConditional;
    const known = seen.get(feature);
    if (known && (known.isEssential || !isEssential)) return;
    const dropped = SILENT.has(feature) ? undefined : clients.droppedBy(feature, isForWord);
    if (!dropped) return;
    seen.set(feature, {
      at,
      clients: clients.namesOf(dropped.ids),
      slug: dropped.slug,
      count: dropped.ids.length,
      isEssential,
    });
  };
  let script: HtmlTag | undefined;
  return {
    open: (tag) => {
      if (tag.name === "script" && !DATA_TYPE.test(tag.value("type") ?? "")) script ??= tag;
      const isFont = tag.name === "link" && !isStyleSheet(tag);
      for (const feature of featuresOf(tag))
        note(feature, { offset: tag.start }, tag.isForWord, isFont);
      const style = tag.value("style");
      for (const part of style === undefined ? [] : cssParts(style, false))
        for (const feature of cssFeatures(part))
          note(feature, { offset: tag.start, words: feature }, tag.isForWord, false);
    },
    style: (css, start, isForWord) => {
      for (const part of cssParts(css, true)) {
        const isConditional = part.kind === "declaration" && part.isConditional;
        for (const feature of cssFeatures(part))
          note(feature, { offset: start + part.offset, words: feature }, isForWord, isConditional);
      }
    },
    end: () => {
      if (script) report({ severity: "warning", at: { offset: script.start }, ...SCRIPT });
      tell(seen, report);
    },
  };
}

function tell(seen: ReadonlyMap<string, Seen>, report: AddProblem): void {
  const decoration: (readonly [feature: string, one: Seen])[] = [];
  for (const [feature, one] of seen) {
    const { at, clients, slug, isEssential } = one;
    if (isEssential)
      report({
        severity: "warning",
        at,
        message: `${clients} ${verb(clients)} \`${feature}\`, which carries content or layout.`,
        help:
          "Do without it, or give these programs another form " +
          `(https://www.caniemail.com/features/${slug}/).`,
      });
    else decoration.push([feature, one]);
  }
  const [first, ...others] = decoration.toSorted(([, one], [, other]) => other.count - one.count);
  if (!first) return;
  const listed = [first, ...others.slice(0, FEATURES_LISTED - 1)];
  const more = decoration.length - listed.length;
  const features = listed.map(([feature, { clients }]) => `\`${feature}\` (${clients})`);
  report({
    severity: "note",
    at: first[1].at,
    message: `Programs drop decoration: ${features.join("; ")}${more > 0 ? `; and ${more} more` : ""}.`,
    help: "See how the mail looks without it (https://www.caniemail.com/).",
  });
}

/**
 * Tells whether the link loads a style sheet that may carry layout. Web fonts do not count, because
 * a mail without its fonts can still be read.
 */
function isStyleSheet({ value }: HtmlTag): boolean {
  return /\bstylesheet\b/i.test(value("rel") ?? "") && !WEB_FONTS.test(value("href") ?? "");
}

function verb(clients: string): string {
  return clients.includes(" and ") ? "drop" : "drops";
}

function* featuresOf({ name, attributes, value }: HtmlTag): Generator<string> {
  yield `<${name}>`;
  if (name === "input" || name === "button")
    yield `<${name} type=${value("type")?.toLowerCase() ?? (name === "input" ? "text" : "submit")}>`;
  for (const attribute of attributes) if (!isMark(attribute)) yield `[${attribute.name}]`;
  const [, type] = (name === "img" && FILE_TYPE.exec(value("src") ?? "")) || [];
  if (type !== undefined) yield `.${type.toLowerCase()}`;
}

function* cssFeatures(part: CssPart): Generator<string> {
  if (part.kind === "selector") {
    if (part.text.includes("[")) yield "[]";
    for (const [pseudo] of part.text.toLowerCase().matchAll(PSEUDO)) yield pseudo;
    return;
  }
  if (part.kind === "at") {
    const [rule = "", ...words] = part.text.split(/[\s(:)]+/);
    yield rule;
    if (rule === "@media") for (const word of words) yield `@media ${word}`;
    return;
  }
  const { property, value } = part;
  const text = value.slice(0, VALUE_CHARACTERS);
  if (property !== "position" || !PLAIN_POSITION.test(text)) yield property;
  if (VALUES.has(property)) yield `${property}:${text.split(" ", 1)[0]}`;
  for (const [, name] of text.matchAll(FUNCTION)) yield `${name}()`;
  for (const [, unit] of text.matchAll(UNIT)) yield `1${unit}`;
}
