// Cuts the quotation off a reply (contract.md §Replies). Each line goes to the reply's own text or
// to the quotation, so no line is lost. If the reply's text is between quoted lines, these lines
// stay in the text, because the text makes no sense without them. In doubt, a line belongs to the
// reply's own text. Linear. Pure.
import {
  ADDRESSED,
  DATE_AND_NAME,
  DATED,
  DEVICE_LINE,
  FORWARDED,
  HEADER_LABELS,
  OPENER,
  RULE,
  SEPARATOR,
  SIGNATURE,
  WROTE,
} from "./quotation-rules.ts";

export interface CutText {
  /** The reply's own text. */
  readonly text: string;
  /** The lines that were cut. Empty if no line was cut. */
  readonly quoted: string;
}

/** Maximum number of lines into which an attribution line may be wrapped. */
const ATTRIBUTION_LINES = 4;
const ATTRIBUTION_CHARACTERS = 400;
/** Maximum number of lines in which the fields of a quoted header are searched. */
const HEADER_LINES = 8;
const LABELS_NEEDED = 2;
const SIGNATURE_LINES = 12;
const DEVICE_LINES = 4;
/** Minimum length of a quoted line that a mail program may have wrapped. */
const LONG_CHARACTERS = 60;
const QUOTED = /^[ \t]{0,3}>(?!\s?[:：]\s*$)/;
/** Matches lines whose `>` is the arrow of an advertisement, such as `>>> https://… <<<`. */
const ARROWS = /<<|^[ \t]*>+[ \t]*(?:https?:|www\.)[^>]*<\s*$/;
/** Matches the rest of a quoted line that the author's program wrapped, such as a link. */
const WRAPPED = /^\s*(?:[(<[]?https?:\S*|\(\S+|\S+\)|\S*\) ?>)\s*$/;
/** Matches an address in brackets and a colon, as in attributions without a verb. */
const NAMED_LAST = /[>\])]\s?[:：]\s*$/;
const RULE_AT_END = /[-*_]{1,20}$/;
const INNER_OPENER = /(?:\s|--)(?=(?:On|Am|Le|El|Il|Em|Op) \S{2,12},? )/g;

export function cutQuotation(whole: string): CutText {
  const lines = splitInnerAttribution(whole.replaceAll("\r\n", "\n").split("\n"));
  const isCut = lines.map(() => false);
  const end = cutUnmarked(lines, isCut);
  cutMarked(lines, isCut, end);
  cutSignature(lines, isCut, end);
  return {
    text: joinLines(lines.filter((_, index) => !isCut[index])),
    quoted: joinLines(lines.filter((_, index) => isCut[index])),
  };
}

/** Returns whether a line ends in a colon, possibly followed by a row of dashes. */
function endsInColon(line: string): boolean {
  return /[:：]$/.test(line.trimEnd().replace(RULE_AT_END, "").trimEnd());
}

/** Removes blank lines at both ends, and blanks at the end of each line, and joins the lines. */
function joinLines(lines: readonly string[]): string {
  const trimmed = lines.map((line) => line.trimEnd());
  const first = trimmed.findIndex((line) => line !== "");
  const last = trimmed.findLastIndex((line) => line !== "");
  return first < 0 ? "" : trimmed.slice(first, last + 1).join("\n");
}

/**
 * Puts an attribution at the end of the reply's last line, where some programs write it, on a
 * separate line.
 */
function splitInnerAttribution(lines: readonly string[]): string[] {
  return lines.flatMap((line, index) => {
    const next = lines[index + 1] ?? "";
    const isPlain = !QUOTED.test(next) || QUOTED.test(line) || !endsInColon(line);
    if (isPlain || line.length > ATTRIBUTION_CHARACTERS || OPENER.test(line)) return [line];
    for (const { index: at } of line.matchAll(INNER_OPENER)) {
      const rest = line.slice(at).replace(/^[\s-]+/, "");
      if (at > 0 && isAttribution(rest))
        return [line.slice(0, at).replace(/[\s-]{0,20}$/, ""), rest];
    }
    return [line];
  });
}

/**
 * Cuts the text from the first line that introduces an unmarked quotation to the end. Returns the
 * number of lines before the cut. Those lines may contain marked quotations.
 */
function cutUnmarked(lines: readonly string[], isCut: boolean[]): number {
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (FORWARDED.test(line)) return at;
    if (QUOTED.test(line)) continue;
    if (!SEPARATOR.test(line) && !isHeaderBlock(lines, at) && !introducesUnmarked(lines, at))
      continue;
    const start = startWithRule(lines, at);
    isCut.fill(true, start);
    return start;
  }
  return lines.length;
}

/**
 * Returns the first line of the quotation. A row of dashes directly above it, or above one blank
 * line, belongs to it.
 */
function startWithRule(lines: readonly string[], at: number): number {
  const above = (lines[at - 1] ?? "").trim() === "" ? at - 2 : at - 1;
  return RULE.test(lines[above] ?? "") ? above : at;
}

/**
 * Returns whether a quoted header begins at this line. Two different header fields are enough, or a
 * From with an address below a row of dashes.
 */
function isHeaderBlock(lines: readonly string[], at: number): boolean {
  const first = kindOf(lines[at] ?? "");
  if (first !== "from" && first !== "date") return false;
  const kinds = new Set([first]);
  for (const line of lines.slice(at + 1, at + HEADER_LINES)) {
    if (line.trim() === "") break;
    const kind = kindOf(line);
    if (kind !== undefined) kinds.add(kind);
  }
  return kinds.size >= LABELS_NEEDED || (first === "from" && isAfterRule(lines, at));
}

function isAfterRule(lines: readonly string[], at: number): boolean {
  return RULE.test(lines[at - 1] ?? "") && ADDRESSED.test(lines[at] ?? "");
}

function kindOf(line: string): string | undefined {
  if (line.length > ATTRIBUTION_CHARACTERS) return undefined;
  return HEADER_LABELS.find(([, label]) => label.test(line))?.[0];
}

/**
 * Returns whether an attribution begins at this line, and the text after it is not marked as
 * quoted.
 */
function introducesUnmarked(lines: readonly string[], at: number): boolean {
  const length = attributionLength(lines, at);
  if (length === 0) return false;
  const next = lines
    .slice(at + length, at + length + HEADER_LINES)
    .find((line) => line.trim() !== "");
  if (next === undefined) return true;
  if (QUOTED.test(next)) return false;
  const text = lines.slice(at, at + length).join(" ");
  return ADDRESSED.test(text) || (OPENER.test(text) && DATED.test(text));
}

/**
 * Returns the number of lines of the attribution that begins at this line. 0 means that no
 * attribution begins there.
 */
function attributionLength(lines: readonly string[], at: number): number {
  let text = "";
  for (let length = 1; length <= ATTRIBUTION_LINES; length += 1) {
    const line = lines[at + length - 1];
    if (line === undefined || line.trim() === "" || QUOTED.test(line)) return 0;
    text = `${text} ${line.trim()}`.trim();
    if (text.length > ATTRIBUTION_CHARACTERS) return 0;
    if (isAttribution(text)) return length;
    // Further lines are read only if the first line begins like an attribution.
    if (length === 1 && !OPENER.test(text) && !DATE_AND_NAME.test(text)) {
      if (!(ADDRESSED.test(text) && WROTE.test(text))) return 0;
    }
  }
  return 0;
}

/** Returns whether the text is a whole attribution, such as `On 5 May 2026, Ann <ann@x> wrote:`. */
function isAttribution(text: string): boolean {
  const isDated = DATED.test(text);
  const isAddressed = ADDRESSED.test(text);
  if (isAddressed && isDated && NAMED_LAST.test(text) && OPENER.test(text)) return true;
  if (isAddressed && DATE_AND_NAME.test(text) && /[>\])]\s*$/.test(text)) return true;
  if (!WROTE.test(text) || (!isDated && !isAddressed)) return false;
  if (!endsInColon(text) && !/(?:wrote|schrieb|crit|scritto|写道)[-\s]*$/iu.test(text))
    return false;
  return (
    OPENER.test(text) || /[<[(][^\s<>[\]()]+@/.test(text) || /[>\])]\s*\S{0,24}[:：]/.test(text)
  );
}

/** Cuts the lines that are marked as quoted, and the attribution before them. */
function cutMarked(lines: readonly string[], isCut: boolean[], end: number): void {
  const isMarked = lines.map(
    (line, index) => index < end && QUOTED.test(line) && !ARROWS.test(line),
  );
  for (let at = 1; at + 1 < end; at += 1)
    if (!isMarked[at] && isMarked[at - 1] && isMarked[at + 1] && isWrapped(lines, at))
      isMarked[at] = true;
  const runs = runsOf(lines, isMarked, end);
  const isInline = runs.length > 1;
  for (const { start, stop } of isInline ? trailing(runs, lines, end) : runs)
    isCut.fill(true, start, stop);
}

/**
 * Returns whether a mail program wrapped the quoted line before this line, so that this line is its
 * rest.
 */
function isWrapped(lines: readonly string[], at: number): boolean {
  return WRAPPED.test(lines[at] ?? "") || (lines[at - 1] ?? "").length >= LONG_CHARACTERS;
}

interface Run {
  readonly start: number;
  readonly stop: number;
}

/** Returns the runs of quoted lines, each with its attribution. Blank lines do not divide a run. */
function runsOf(lines: readonly string[], isMarked: readonly boolean[], end: number): Run[] {
  const runs: Run[] = [];
  for (let at = 0; at < end; at += 1) {
    if (!isMarked[at]) continue;
    let stop = at + 1;
    for (let next = stop; next < end; next += 1) {
      if (isMarked[next]) stop = next + 1;
      else if ((lines[next] ?? "").trim() !== "") break;
    }
    runs.push({ start: startWithAttribution(lines, at), stop });
    at = stop;
  }
  return runs;
}

function startWithAttribution(lines: readonly string[], quoteStart: number): number {
  let above = quoteStart - 1;
  while (above >= 0 && (lines[above] ?? "").trim() === "") above -= 1;
  for (let length = ATTRIBUTION_LINES; length > 0; length -= 1) {
    const start = above - length + 1;
    if (start >= 0 && attributionLength(lines, start) === length) return start;
  }
  return quoteStart;
}

/**
 * Returns the last of several runs if only blank lines follow it, because only that run may be cut.
 */
function trailing(runs: readonly Run[], lines: readonly string[], end: number): readonly Run[] {
  const last = runs.at(-1);
  if (!last || lines.slice(last.stop, end).some((line) => line.trim() !== "")) return [];
  return [last];
}

/** Cuts a signature, or the line that a telephone adds, at the end of the reply. */
function cutSignature(lines: readonly string[], isCut: boolean[], end: number): void {
  const own = lines.flatMap((line, index) =>
    index < end && !isCut[index] && line.trim() !== "" ? [index] : [],
  );
  const last = own.slice(-SIGNATURE_LINES);
  const opened =
    last.find((index) => SIGNATURE.test(lines[index] ?? "")) ??
    own.slice(-DEVICE_LINES).find((index) => DEVICE_LINE.test(lines[index] ?? ""));
  if (opened === undefined) return;
  for (const index of own) if (index >= opened) isCut[index] = true;
}
