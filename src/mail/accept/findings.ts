// Collects every field error that validation finds in a send, of both kinds: 400 and 422
// (contract.md §Statuses).
import { validationBody, validationError } from "../../lib/error-envelope.ts";
import type { FieldErrors } from "../../refusal.ts";

/** Beyond these no more are told: a hostile body has millions. */
const ERRORS_TOLD = 100;
const SEGMENT_CHARACTERS = 100;

interface Found {
  readonly errors: FieldErrors;
  count: number;
  malformed: boolean;
}

/**
 * Collects field errors; a view made by under() writes to the same collection with its prefix
 * before every path.
 */
export class Findings {
  readonly #prefix: string;
  readonly #found: Found;

  constructor(prefix = "", found: Found = { errors: {}, count: 0, malformed: false }) {
    this.#prefix = prefix;
    this.#found = found;
  }

  /** For one entry of a batch: `under("emails.3")`. */
  under(path: string): Findings {
    return new Findings(`${this.#prefix}${path}.`, this.#found);
  }

  /**
   * An error of the kind that makes the whole answer a 400. `problem` goes on from the field's
   * name.
   */
  malformed(path: string, problem: string): void {
    this.#found.malformed = true;
    this.#add(path, problem);
  }

  /** An error of the kind that is a 422 when no other kind is there. */
  invalid(path: string, problem: string): void {
    this.#add(path, problem);
  }

  /** What this view is of, as `emails.3`; empty for the whole. */
  get place(): string {
    return this.#prefix.slice(0, -1);
  }

  get count(): number {
    return this.#found.count;
  }

  /** The refusal to answer and to keep for replays. Only when something was found. */
  refusal(): { readonly kind: "refused"; readonly status: number; readonly body: string } {
    const { errors, malformed, count } = this.#found;
    if (count === 0) throw new Error("a send was refused, but nothing was found wrong with it");
    return { kind: "refused", status: malformed ? 400 : 422, body: validationBody(errors) };
  }

  /** JSON of what was found as the error object of a batch's item. */
  itemError(): string {
    return JSON.stringify(validationError(this.#found.errors));
  }

  #add(path: string, problem: string): void {
    this.#found.count += 1;
    if (this.#found.count <= ERRORS_TOLD)
      (this.#found.errors[this.#prefix + path] ??= []).push(problem);
  }
}

/** A caller's own key as part of a path. */
export function pathSegment(key: string): string {
  return key.length > SEGMENT_CHARACTERS
    ? `${key.slice(0, SEGMENT_CHARACTERS).toWellFormed()}...`
    : key;
}
