// Finds variables that a mail uses and a send does not set, and variables that a send sets and the
// mail does not use. Pure.
import { markersOf, roleOf } from "../../lib/html/html-markers.ts";
import { isJsonObject } from "../../lib/json.ts";
import { findNearest } from "../../lib/nearest-name.ts";
import { compileTemplate } from "../../lib/template/compile.ts";
import { addShape, newShape, type VariableShape } from "../../lib/template/variable-shape.ts";
import type { CheckedMail, CheckedVariables, AddProblem } from "../checked-mail.ts";
import type { HtmlVisitor } from "../html-visitor.ts";
import type { MailPosition } from "../mail-problem.ts";
import { lineStartsOf } from "../tag-marks.ts";

/** The variable with each recipient's own unsubscribe link, which the service sets. */
const OWN = "unsubscribe_url";
const NAME_PARTS = /[^\w.-]+/;
const LOOP = /^\{\{~?#each\b/;
/** Maximum number of unknown names that are compared with the given names, for a hint. */
const COMPARED_NAMES = 20;

export function beginVariables({ variables }: CheckedMail, report: AddProblem): HtmlVisitor {
  if (variables) judgeVariables(variables, report);
  return {};
}

function judgeVariables({ sources, values, given }: CheckedVariables, report: AddProblem): void {
  const root = newShape();
  for (const { text } of sources)
    if (compileTemplate(text).kind === "template") addShape(text, root);
  const uses = usesIn(sources);
  let compared = 0;
  for (const { path, shape } of unsetIn(root, values ?? {}, [])) {
    if (path[0] === OWN && values !== null) continue;
    const name = path.join(".");
    const at = placeOf(name, uses);
    compared += 1;
    if (values === null) report({ severity: "error", at, ...literal(name) });
    else if (uses.guarded.has(path[0] ?? "") || !isRead(shape))
      report({ severity: "note", at, ...missing(name) });
    else
      report({
        severity: "error",
        at,
        ...unknown(name, compared > COMPARED_NAMES ? [] : given),
      });
  }
  for (const name of given)
    if (!root.members.has(name) && values !== null)
      report({
        severity: "note",
        at: { field: `variables.${name}`, line: null, column: null },
        message: `The variable ${name} is not used.`,
        help: "Remove it, or use it. Perhaps the template's variable has another name.",
      });
}

function literal(name: string) {
  return {
    message: `The send has no variables, so {{${name}}} goes out as it is written.`,
    help: "Give `variables`, or remove the braces (docs/templates.md).",
  };
}

function missing(name: string) {
  return {
    message: `The variable ${name} has no value. The template uses it only under a condition.`,
    help: "This is correct if the variable is optional.",
  };
}

function unknown(name: string, given: readonly string[]) {
  const near = findNearest(name, given);
  return {
    message: `The variable ${name} is unknown, and is rendered as nothing.`,
    help:
      (near === undefined ? "" : `Is ${near} meant? `) +
      "Set it in `variables`, or give the template a fallback (docs/templates.md).",
  };
}

interface Unset {
  readonly path: readonly string[];
  readonly shape: VariableShape;
}

/** Finds the variables without a value. Does not look into the entries of lists. */
function* unsetIn(
  { members }: VariableShape,
  values: Readonly<Record<string, unknown>>,
  outer: readonly string[],
): Generator<Unset> {
  for (const [name, shape] of members) {
    const path = [...outer, name];
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) yield { path: deepest(path, shape), shape };
    else if (isJsonObject(value)) yield* unsetIn(shape, value, path);
  }
}

/** Adds the member's name if the template reads only one member: `user` becomes `user.name`. */
function deepest(path: readonly string[], { members, isPrinted }: VariableShape): string[] {
  const [only, ...others] = members.entries();
  return only && others.length === 0 && !isPrinted
    ? deepest([...path, only[0]], only[1])
    : [...path];
}

/** Tells whether the template prints the variable or a part of it. */
function isRead({ isPrinted, element, members }: VariableShape): boolean {
  return isPrinted || element !== null || [...members.values()].some(isRead);
}

/** The words in the tags of the template language. */
interface Uses {
  /** The first position of each word, such as `user.name`, and of its last part, such as `name`. */
  readonly places: ReadonlyMap<string, MailPosition>;
  /** The variables that a block such as `{{#if company}}` tests. */
  readonly guarded: ReadonlySet<string>;
}

function usesIn(sources: CheckedVariables["sources"]): Uses {
  const places = new Map<string, MailPosition>();
  const guarded = new Set<string>();
  for (const { field, text } of sources) {
    const starts = lineStartsOf(text);
    let line = 1;
    for (const { start, end } of markersOf(text)) {
      while ((starts[line] ?? Number.POSITIVE_INFINITY) <= start) line += 1;
      const place = { field, line, column: start - (starts[line - 1] ?? 0) + 1 };
      const marker = text.slice(start, end);
      const isGuard = roleOf(marker) === "open" && !LOOP.test(marker);
      for (const word of marker.split(NAME_PARTS)) {
        for (const name of [word, word.slice(word.lastIndexOf(".") + 1)])
          if (!places.has(name)) places.set(name, place);
        if (isGuard) guarded.add(word.split(".", 1)[0] ?? "");
      }
    }
  }
  return { places, guarded };
}

function placeOf(name: string, { places }: Uses): MailPosition {
  const last = name.slice(name.lastIndexOf(".") + 1);
  return places.get(name) ?? places.get(last) ?? { field: "variables", line: null, column: null };
}
