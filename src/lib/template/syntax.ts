// From source to Handlebars' own tree, white space control and standalone lines included, and from the parser's complaints to positions.
import { type Program, parse, parser } from "handlebars/dist/cjs/handlebars/compiler/base.js";
import { TemplateProblem, problemAt } from "./problem.ts";
import type { Scanned } from "./scan.ts";

/** Handlebars ends its messages with its own spelling of the position. */
const POSITION = / - \d+:\d+$/;
const EXCERPT_CHARACTERS = 20;

/** Throws a TemplateProblem. */
export function parseTemplate({ text, unclosed }: Scanned): Program {
  try {
    return parse(text);
  } catch (error) {
    throw problemOf(error, text, unclosed);
  }
}

function problemOf(error: unknown, text: string, unclosed: number | undefined): TemplateProblem {
  const place = positionOf(error);
  if (place) return new TemplateProblem(place.message.replace(POSITION, ""), place.line, place.column + 1);
  const { _input: rest, match } = parser.lexer;
  const offset = text.length - rest.length - match.length;
  if (rest === "" && match === "" && unclosed !== undefined) return problemAt(text, unclosed, "the block that begins here is never closed");
  const found = (match || rest).slice(0, EXCERPT_CHARACTERS).trim();
  return problemAt(text, offset, found ? `unexpected "${found}"` : "unexpected end of the template");
}

/** What the grammar lets through and the parser refuses all the same, such as a closing tag of another name, knows its place. */
function positionOf(error: unknown): { readonly message: string; readonly line: number; readonly column: number } | undefined {
  if (!(error instanceof Error) || !("lineNumber" in error) || !("column" in error)) return undefined;
  const { message, lineNumber: line, column } = error;
  return typeof line === "number" && typeof column === "number" ? { message, line, column } : undefined;
}
