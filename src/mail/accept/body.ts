// Reads a send's subject, and its text, HTML or template (contract.md §Subject, contract.md
// §Bodies). Pure.
import { BODY_CHARACTERS, SUBJECT_CHARACTERS } from "../../limits.ts";
import type { FieldProblems } from "./field-problems.ts";
import type { JsonObject } from "./fields.ts";
import { toOneLine } from "./sanitize.ts";
import type { SingleFields } from "./wire.ts";

const BEYOND_BASIC_PLANE = /[\u{10000}-\u{10ffff}]/gu;

export interface Body {
  /** The subject. Null means that the template's subject is used. */
  readonly subject: string | null;
  /**
   * The HTML or text. Null means that the send does not have this body, or that the body is empty.
   */
  readonly text: string | null;
  readonly html: string | null;
}

/**
 * Reads `fields`, which has only members of the right type. `input` has all members of the request,
 * so it shows which members were given.
 */
export function readBody(input: JsonObject, fields: SingleFields, problems: FieldProblems): Body {
  const templated = input["template_id"] !== undefined;
  const bodies = input["text"] !== undefined || input["html"] !== undefined;
  if (templated && bodies) problems.invalid("template_id", "cannot be combined with html or text");
  const text = readPart("text", fields.text, problems);
  const html = readPart("html", fields.html, problems);
  if (!templated && isAbsent(input["text"]) && isAbsent(input["html"])) {
    problems.invalid("html", "is required unless text or template_id is given");
    problems.invalid("text", "is required unless html or template_id is given");
  }
  return { subject: readSubject(input, fields, problems), text, html };
}

function readSubject(
  input: JsonObject,
  fields: SingleFields,
  problems: FieldProblems,
): string | null {
  if (fields.subject === undefined) {
    if (input["subject"] === undefined && input["template_id"] === undefined)
      problems.invalid("subject", "is required");
    return null;
  }
  const subject = toOneLine(fields.subject);
  if (subject.trim() === "") problems.invalid("subject", "must not be empty");
  if (isLongerThan(subject, SUBJECT_CHARACTERS))
    problems.invalid("subject", `is longer than ${SUBJECT_CHARACTERS} characters`);
  return subject;
}

function readPart(
  name: "text" | "html",
  part: string | undefined,
  problems: FieldProblems,
): string | null {
  if (part === undefined || part === "") return null;
  if (isLongerThan(part, BODY_CHARACTERS))
    problems.malformed(name, `is longer than ${BODY_CHARACTERS} characters`);
  return part;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === "";
}

/**
 * Returns whether a text has more than this many characters. A character outside the basic plane is
 * two units of a string.
 */
export function isLongerThan(text: string, characters: number): boolean {
  if (text.length <= characters) return false;
  if (text.length > 2 * characters) return true;
  return text.replace(BEYOND_BASIC_PLANE, " ").length > characters;
}
