// Makes sample values for the variables that a template's content uses (contract.md §Previews). The
// content decides the kind of each sample. The samples are within the limits of a send's variables.
// Pure.
import { newShape, addShape, type VariableShape } from "../../lib/template/variable-shape.ts";
import { VARIABLES_BYTES, VARIABLES_DEPTH, VARIABLES_KEYS_PER_OBJECT } from "../../limits.ts";
import type { Content } from "./template-content.ts";
import { byteLength } from "./text-limit.ts";
import { isCallerVariable } from "./template-variables.ts";

type Samples = Record<string, unknown>;

/** Matches a member name that is an index in a list, from 0 to 9. */
const PLACE = /^\d$/;

/** Returns a sample of each variable, or none if all exceed the limits of a send's variables. */
export function sampleVariables({
  subject,
  html,
  text,
}: Pick<Content, "subject" | "html" | "text">): Samples {
  const root = newShape();
  for (const source of [subject, html, text]) addShape(source ?? "", root);
  const members = [...root.members].filter(([name]) => isCallerVariable([name]));
  const samples = objectOf(members, 1);
  return byteLength(JSON.stringify(samples)) > VARIABLES_BYTES ? {} : samples;
}

function objectOf(members: readonly (readonly [string, VariableShape])[], level: number): Samples {
  return Object.fromEntries(
    members
      .slice(0, VARIABLES_KEYS_PER_OBJECT)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, shape]) => [name, sampleOf(name, shape, level + 1)]),
  );
}

/** Returns the sample of a variable or a member. `level` is its nesting: 1 for a variable. */
function sampleOf(name: string, shape: VariableShape, level: number): unknown {
  const { element, members, isPrinted } = shape;
  if (level > VARIABLES_DEPTH) return wordFor(name);
  if (element) return listOf(element, level);
  if (members.size === 0) return isPrinted ? wordFor(name) : true;
  return [...members.keys()].every((member) => PLACE.test(member))
    ? placesOf(name, members, level)
    : objectOf([...members], level);
}

function listOf(element: VariableShape, level: number): unknown[] {
  const isText = element.members.size === 0 && element.element === null;
  return isText || level === VARIABLES_DEPTH
    ? ["one", "two"]
    : [sampleOf("entry", element, level + 1)];
}

/**
 * Makes the entries of a list from which a template uses entries by index: an entry for each index
 * up to the highest.
 */
function placesOf(name: string, members: ReadonlyMap<string, VariableShape>, level: number) {
  const length = Math.max(...Array.from(members.keys(), Number)) + 1;
  return Array.from({ length }, (_, place) =>
    sampleOf(name, members.get(String(place)) ?? newShape(), level + 1),
  );
}

/** Returns a sample text from which a reader recognises the variable. */
function wordFor(name: string): string {
  if (/url|link|href/i.test(name)) return "https://example.com/";
  if (/e-?mail/i.test(name)) return "ada@example.com";
  if (/^(?:first_?)?name$/i.test(name)) return "Ada";
  return name.replaceAll("_", " ");
}
