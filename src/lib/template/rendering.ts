// Holds one running rendering: the output so far, and the two budgets that stop a hostile template
// (decision 0014). Pure.
import { escapeHtml, textOf } from "./text.ts";

const STEPS_PER_TEMPLATE = 500_000;
const OUTPUT_CHARACTERS = 2_000_000;
/** Number of compared or converted characters that count as one step. */
const CHARACTERS_PER_STEP = 16;
/** Number of HTML characters that count as one step when HTML is converted to text. */
const HTML_CHARACTERS_PER_STEP = 4;

export type Budget = "steps" | "characters";

/**
 * Transforms the output of a text template piece by piece. `words` takes plain text, and `html`
 * takes an unescaped value, which is HTML. `end` returns the output that was held back until the
 * end of the text.
 */
export interface TextFlow {
  words(text: string): string;
  html(html: string): string;
  end(): string;
}

/**
 * Ends a rendering that exceeds its budget. The error's message continues a sentence that begins
 * with the name of the field.
 */
export class BudgetExceeded extends Error {
  readonly budget: Budget;

  constructor(budget: Budget, message: string) {
    super(message);
    this.budget = budget;
  }
}

export class Rendering {
  readonly #escapes: boolean;
  readonly #flow: TextFlow | undefined;
  #text = "";
  #stepsLeft = STEPS_PER_TEMPLATE;
  readonly #spend = (steps: number): void => this.spend(steps);

  constructor(escapes: boolean, flow?: TextFlow) {
    this.#escapes = escapes;
    this.#flow = flow;
  }

  get text(): string {
    return this.#text;
  }

  /** Number of steps taken so far. */
  get steps(): number {
    return STEPS_PER_TEMPLATE - this.#stepsLeft;
  }

  spend(steps: number): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < 0)
      throw new BudgetExceeded("steps", `takes more than ${STEPS_PER_TEMPLATE} steps to render`);
  }

  spendOnText(characters: number): void {
    this.spend(Math.floor(characters / CHARACTERS_PER_STEP));
  }

  write(text: string): void {
    this.#append(this.#flow ? this.#flow.words(text) : text);
  }

  end(): void {
    if (this.#flow) this.#append(this.#flow.end());
  }

  #append(text: string): void {
    this.#text += text;
    if (this.#text.length > OUTPUT_CHARACTERS)
      throw new BudgetExceeded(
        "characters",
        `renders to more than ${OUTPUT_CHARACTERS} characters`,
      );
  }

  /**
   * Writes a value. `escaped`: the tag asks for escaping. The value is escaped only if the whole
   * rendering also escapes values.
   */
  print(value: unknown, escaped: boolean): void {
    const text = this.textOf(value);
    if (this.#flow && !escaped) {
      this.spend(Math.floor(text.length / HTML_CHARACTERS_PER_STEP));
      return this.#append(this.#flow.html(text));
    }
    this.write(escaped && this.#escapes ? escapeHtml(text) : text);
  }

  textOf(value: unknown): string {
    return textOf(value, this.#spend);
  }
}
