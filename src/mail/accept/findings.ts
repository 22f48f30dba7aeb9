// Collects every field error that validation finds in a request, of both kinds: 400 and 422
// (contract.md §Statuses).
import { validationBody, validationError } from "../../lib/error-envelope.ts";
import { type FieldErrors, refuse } from "../../refusal.ts";

/** Only this many errors are reported, since a hostile body has millions. */
const ERRORS_REPORTED = 100;

interface FoundErrors {
  readonly errors: FieldErrors;
  count: number;
  malformed: boolean;
}

/**
 * A collection of field errors. A view made by under() adds to the same collection, with a prefix
 * before every path.
 */
export class Findings {
  readonly #prefix: string;
  readonly #found: FoundErrors;

  constructor(prefix = "", found: FoundErrors = { errors: {}, count: 0, malformed: false }) {
    this.#prefix = prefix;
    this.#found = found;
  }

  /** A view for one entry of a batch: `under("emails.3")`. */
  under(path: string): Findings {
    return new Findings(`${this.#prefix}${path}.`, this.#found);
  }

  /**
   * Adds an error that makes the whole answer a 400. `problem` continues a sentence that starts
   * with the field's name.
   */
  malformed(path: string, problem: string): void {
    this.#found.malformed = true;
    this.#add(path, problem);
  }

  /** Adds an error that makes the answer a 422, unless a malformed field makes it a 400. */
  invalid(path: string, problem: string): void {
    this.#add(path, problem);
  }

  /** The entry that this view belongs to, such as `emails.3`; empty for the whole request. */
  get place(): string {
    return this.#prefix.slice(0, -1);
  }

  get count(): number {
    return this.#found.count;
  }

  /** The problems by their paths, in the order in which they were found. */
  get errors(): Readonly<FieldErrors> {
    return this.#found.errors;
  }

  /** Throws the refusal when there is a finding, for an endpoint that keeps no replays. */
  throwIfAny(): void {
    const { errors, malformed, count } = this.#found;
    if (count > 0) throw refuse(malformed ? "malformed" : "invalid", { errors });
  }

  /** The refusal to answer, which the ledger keeps for replays. Throws without a finding. */
  refusal(): { readonly kind: "refused"; readonly status: number; readonly body: string } {
    const { errors, malformed, count } = this.#found;
    if (count === 0) throw new Error("a refusal needs at least one finding");
    return { kind: "refused", status: malformed ? 400 : 422, body: validationBody(errors) };
  }

  /** The findings as the error object of a batch's item, in JSON. */
  itemError(): string {
    return JSON.stringify(validationError(this.#found.errors));
  }

  #add(path: string, problem: string): void {
    this.#found.count += 1;
    if (this.#found.count <= ERRORS_REPORTED)
      (this.#found.errors[this.#prefix + path] ??= []).push(problem);
  }
}
