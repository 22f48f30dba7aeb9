// Finds the comments of a file that cannot be read without the code, and texts in translated
// English.
import ts from "typescript";
import { isWritten, nodesOf, type SourceFile } from "./source-files.ts";

interface Comment {
  /** Number of the line, counted from 1. */
  readonly line: number;
  /** The comment on one line, without its slashes and stars. */
  readonly text: string;
}

/** A comment that opens with one of these words names its subject only in the code below it. */
const OPENING =
  /^(?:Of|In|On|At|By|For|From|With|Without|Within|Under|Above|Below|Behind|Beside|Beyond|Between|Against|Among|To|Into|Out|Up|As|Per|Where|Whether|How|Who|Whom|Whose|Which|What|Whatever|Whichever|Whoever|It|Its|They|Their|Them|This|That|These|Those|Such|Thereby|There|Here|Nobody|Somebody|Anybody|Everybody|Nothing|Something|None|Neither)\b/;
/** Phrases of translated English that need a second reading. */
const WORDS =
  /\b(?:[Ww]hoever|[Ww]homever|[Nn]obody|[Ss]omebody|[Aa]nybody|(?<![Tt]here )(?:is|are) no (?!such|more|less|longer|later)\w+)\b/;
/**
 * Phrases that say that something is absent without naming it. A comment names the absent thing.
 */
const ABSENCE = /\b(?:(?:is|are) none|[Tt]here (?:is|are) no such|(?:null|undefined): there)\b/;

/** Returns the comments that break a rule, each with the words that break it. */
export function unreadableComments(file: SourceFile): string[] {
  return commentsOf(file).flatMap(({ line, text }) => {
    const [found] = OPENING.exec(text) ?? WORDS.exec(text) ?? ABSENCE.exec(text) ?? [];
    return found === undefined ? [] : [`${file.path}:${line}: "${found}" in: ${text.slice(0, 80)}`];
  });
}

/** Returns the texts of a program, such as error messages, that need a second reading. */
export function unreadableTexts({ path, tree }: SourceFile): string[] {
  return nodesOf(tree).flatMap((node) => {
    const text = isWritten(node) || ts.isJsxText(node) ? node.text : "";
    const [found] = WORDS.exec(text) ?? [];
    return found === undefined ? [] : [`${path}: "${found}" in: ${text.slice(0, 80)}`];
  });
}

/** Returns the titles of tests that need a second reading. */
export function unreadableTitles({ path, tree }: SourceFile): string[] {
  return titlesOfTests(tree, ["it", "describe"])
    .filter((title) => WORDS.test(title))
    .map((title) => `${path}: ${title}`);
}

/**
 * Returns the titles of a program's calls of these functions and of their forms, such as
 * `it.each(table)`. A list of `forms` leaves out calls of other forms.
 */
export function titlesOfTests(
  tree: ts.SourceFile,
  names: readonly string[],
  forms?: readonly string[],
): string[] {
  const isTest = (callee: ts.Expression): boolean => {
    if (ts.isIdentifier(callee)) return names.includes(callee.text);
    if (ts.isPropertyAccessExpression(callee))
      return (forms?.includes(callee.name.text) ?? true) && isTest(callee.expression);
    return ts.isCallExpression(callee) && isTest(callee.expression);
  };
  return nodesOf(tree).flatMap((node) => {
    const [title] = ts.isCallExpression(node) && isTest(node.expression) ? node.arguments : [];
    return title && ts.isStringLiteralLike(title) ? [title.text] : [];
  });
}

function commentsOf({ text, tree }: SourceFile): Comment[] {
  return blocksOf(text, rangesOf(text, tree))
    .map(({ pos, end }) => ({
      line: tree.getLineAndCharacterOfPosition(pos).line + 1,
      text: text
        .slice(pos, end)
        .replace(/^\/\*\*?|\*\/$/g, "")
        .replace(/^\s*(?:\/\/|\*)\s?/gm, " ")
        .replace(/\s+/g, " ")
        .trim(),
    }))
    .filter((comment) => !/^(?:oxlint|@ts-|\/ <reference)/.test(comment.text));
}

/** Finds all comments. Skips texts and regular expressions that look like a comment. */
function rangesOf(text: string, tree: ts.SourceFile): ts.TextRange[] {
  const literals = nodesOf(tree)
    .filter(
      (node) =>
        ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node),
    )
    .map((node) => ({ pos: node.getStart(tree), end: node.end }))
    .toSorted((one, other) => one.pos - other.pos);
  const found: ts.TextRange[] = [];
  const comments = /\/\/.*|\/\*[^]*?\*\//g;
  let at = 0;
  for (let match = comments.exec(text); match !== null; match = comments.exec(text)) {
    const { index: pos } = match;
    while ((literals[at]?.end ?? Infinity) <= pos) at += 1;
    const literal = literals[at];
    if (literal && literal.pos <= pos) comments.lastIndex = literal.end;
    else found.push({ pos, end: comments.lastIndex });
  }
  return found;
}

/** Joins lines of `//` that stand directly below each other. */
function blocksOf(text: string, ranges: readonly ts.TextRange[]): ts.TextRange[] {
  const blocks: { pos: number; end: number; isLine: boolean }[] = [];
  for (const { pos, end } of ranges) {
    const isLine = text.startsWith("//", pos) && startsItsLine(text, pos);
    const last = blocks.at(-1);
    if (isLine && last?.isLine === true && /^\r?\n[ \t]*$/.test(text.slice(last.end, pos)))
      last.end = end;
    else blocks.push({ pos, end, isLine });
  }
  return blocks;
}

function startsItsLine(text: string, pos: number): boolean {
  return text.slice(text.lastIndexOf("\n", pos - 1) + 1, pos).trim() === "";
}
