// Collects the field errors that validation finds in a request. Some errors lead to a 400, others
// to a 422 (contract.md §Statuses).
import { validationBody, validationError } from "../../lib/error-envelope.ts";
import { type FieldErrors, refuse, shorten } from "../../refusal.ts";

/**
 * Maximum number of errors that are reported for a request, because the body of an attacker may
 * have millions of errors. The first error of each collection is always reported.
 */
const ERRORS_REPORTED = 100;
/**
 * Maximum length of an error's text, which may quote the request. The errors of 100 entries must
 * fit into one row of the ledger.
 */
const PROBLEM_CHARACTERS_APART = 500;

interface FoundErrors {
  readonly errors: FieldErrors;
  /** The number of errors that the request may still report. */
  readonly room: { left: number };
  readonly problemCharacters: number;
  count: number;
  malformed: boolean;
}

/**
 * A collection of field errors. under() returns a view of the same collection that puts a prefix
 * before every path.
 */
export class FieldProblems {
  /** The entry that this view belongs to, such as `emails.3`. Empty for the whole request. */
  readonly place: string;
  readonly #prefix: string;
  readonly #found: FoundErrors;

  constructor(prefix = "", found = foundNone(), place = prefix.slice(0, -1)) {
    this.place = place;
    this.#prefix = prefix;
    this.#found = found;
  }

  /** Returns a view for one entry of a batch: `under("emails.3")`. */
  under(path: string): FieldProblems {
    return new FieldProblems(`${this.#prefix}${path}.`, this.#found);
  }

  /** Returns a separate collection for one entry of a batch. Its paths begin at the entry. */
  apart(place: string): FieldProblems {
    return new FieldProblems("", foundNone(this.#found.room, PROBLEM_CHARACTERS_APART), place);
  }

  /**
   * Adds an error that makes the response a 400. `problem` is the rest of a sentence that begins
   * with the field's name.
   */
  malformed(path: string, problem: string): void {
    this.#found.malformed = true;
    this.#add(path, problem);
  }

  /** Adds an error that makes the response a 422, unless another error makes it a 400. */
  invalid(path: string, problem: string): void {
    this.#add(path, problem);
  }

  get count(): number {
    return this.#found.count;
  }

  /** The texts of the errors by their paths, in the order in which they were added. */
  get errors(): Readonly<FieldErrors> {
    return this.#found.errors;
  }

  /** Throws a refusal if the collection has an error. Endpoints that store no replays use it. */
  throwIfAny(): void {
    const { errors, malformed, count } = this.#found;
    if (count > 0) throw refuse(malformed ? "malformed" : "invalid", { errors });
  }

  /**
   * Returns the refusal with the collected errors, which the ledger stores for replays. Throws if
   * the collection is empty.
   */
  refusal(): { readonly kind: "refused"; readonly status: number; readonly body: string } {
    const { errors, malformed, count } = this.#found;
    if (count === 0) throw new Error("a refusal needs at least one problem");
    return { kind: "refused", status: malformed ? 400 : 422, body: validationBody(errors) };
  }

  /** The collected errors as the error object of a batch's item, in JSON. */
  itemError(): string {
    return JSON.stringify(validationError(this.#found.errors));
  }

  #add(path: string, problem: string): void {
    const { errors, room, problemCharacters } = this.#found;
    this.#found.count += 1;
    room.left -= 1;
    if (room.left >= 0 || this.#found.count === 1)
      (errors[this.#prefix + path] ??= []).push(shorten(problem, problemCharacters));
  }
}

function foundNone(
  room = { left: ERRORS_REPORTED },
  problemCharacters = Number.POSITIVE_INFINITY,
): FoundErrors {
  return { errors: {}, room, problemCharacters, count: 0, malformed: false };
}
