// Parses a source into Handlebars' tree, including white space control and standalone lines, and
// locates errors. Grammar and tree are Handlebars'. This file walks the grammar's tables itself,
// because Handlebars' own parser copies three stacks at every step. Pure.
import {
  type Action,
  type ParserLocation,
  type Program,
  type Reduction,
  parse as controlWhiteSpace,
  parser,
} from "handlebars/dist/cjs/handlebars/compiler/base.js";
import * as helpers from "handlebars/dist/cjs/handlebars/compiler/helpers.js";
import { Lexer } from "./lexer.ts";
import { TemplateProblem, problemAt } from "./problem.ts";
import type { ScannedTemplate } from "./scan.ts";

const SHIFT = 1;
/** Matches the position that Handlebars appends to its messages. */
const POSITION = / - \d+:\d+$/;
const EXCERPT_CHARACTERS = 20;

const NODES = {
  ...helpers,
  locInfo: ({ first_line, first_column, last_line, last_column }: ParserLocation) => ({
    start: { line: first_line, column: first_column },
    end: { line: last_line, column: last_column },
  }),
};

/** Parses a scanned source. Throws a TemplateProblem for the first fault. */
export function parseTemplate(source: string, { unclosed }: ScannedTemplate): Program {
  try {
    return controlWhiteSpace(new Parsing(source, unclosed).run());
  } catch (error) {
    throw toProblem(error) ?? error;
  }
}

/** Parses one source with the parser's tables. */
class Parsing {
  readonly #source: string;
  readonly #unclosed: number | undefined;
  readonly #lexer: Lexer;
  readonly #states = [0];
  readonly #values: unknown[] = [null];
  readonly #locations: ParserLocation[];
  readonly #reduction: Reduction;

  constructor(source: string, unclosed: number | undefined) {
    this.#source = source;
    this.#unclosed = unclosed;
    this.#lexer = new Lexer(source);
    this.#locations = [this.#lexer.location];
    this.#reduction = { $: null, _$: this.#lexer.location };
  }

  run(): Program {
    const { steps, symbols } = (grammar ??= readGrammar());
    const states = this.#states;
    let token: number | undefined;
    for (;;) {
      const row = (states.at(-1) ?? 0) * symbols;
      const step = steps[row] || steps[row + (token ??= this.#lexer.next())];
      if (!step) throw this.#problem(token);
      if (step > 0) {
        this.#push(step, this.#lexer.value, this.#lexer.location);
        token = undefined;
      } else {
        const tree = this.#reduce(-step, steps, symbols);
        if (tree) return tree;
      }
    }
  }

  #push(state: number, value: unknown, location: ParserLocation): void {
    this.#states.push(state);
    this.#values.push(value);
    this.#locations.push(location);
  }

  /** Reduces by a production. Returns the tree when it is complete. */
  #reduce(production: number, steps: Int16Array, symbols: number): Program | undefined {
    const [symbol, length] = parser.productions_[production] ?? [0, 0];
    const states = this.#states;
    const values = this.#values;
    const locations = this.#locations;
    const last = locations.length - 1;
    const from = locations[length === 0 ? last : last - length + 1] as ParserLocation;
    const location = length < 2 ? from : spanLocations(from, locations[last] as ParserLocation);
    const reduction = this.#reduction;
    reduction.$ = values[last - length + 1];
    reduction._$ = location;
    const tree = parser.performAction.call(
      reduction,
      "",
      0,
      0,
      NODES,
      production,
      values,
      locations,
    );
    if (tree !== undefined) return tree as Program;
    if (length > 0) states.length = values.length = locations.length = last + 1 - length;
    this.#push(steps[(states.at(-1) ?? 0) * symbols + symbol] ?? 0, reduction.$, location);
    return undefined;
  }

  #problem(token: number | undefined): TemplateProblem {
    const { start, end } = this.#lexer;
    if (token === parser.symbols_.EOF && this.#unclosed !== undefined) {
      return problemAt(this.#source, this.#unclosed, "the block that begins here is never closed");
    }
    const found = this.#source
      .slice(start, Math.max(end, start + 1))
      .slice(0, EXCERPT_CHARACTERS)
      .trim();
    return problemAt(
      this.#source,
      start,
      found ? `unexpected "${found}"` : "unexpected end of the template",
    );
  }
}

/** The parser's tables in one array, which has `symbols` steps for each state. */
interface Grammar {
  readonly symbols: number;
  /**
   * Steps by state and symbol. A positive step is the next state. A negative step is the number of
   * a production to reduce by. A step of 0 refuses the symbol. Column 0 has the step that does not
   * depend on the symbol.
   */
  readonly steps: Int16Array;
}

let grammar: Grammar | undefined;

function readGrammar(): Grammar {
  const { table, defaultActions, productions_, terminals_ } = parser;
  const numbers = [
    ...productions_.slice(1).map(([symbol]) => symbol),
    ...Object.keys(terminals_).map(Number),
  ];
  const symbols = Math.max(...numbers) + 1;
  const steps = new Int16Array(table.length * symbols);
  for (const [state, actions] of table.entries()) {
    for (const [symbol, action] of Object.entries(actions))
      steps[state * symbols + Number(symbol)] = stepOf(action);
    const always = defaultActions[state];
    if (always) steps[state * symbols] = stepOf(always);
  }
  return { symbols, steps };
}

function stepOf(action: Action | number): number {
  if (typeof action === "number") return action;
  const [kind, number] = action;
  return kind === SHIFT ? number : -number;
}

function spanLocations(from: ParserLocation, to: ParserLocation): ParserLocation {
  const { first_line, first_column } = from;
  return { first_line, first_column, last_line: to.last_line, last_column: to.last_column };
}

/**
 * Converts an error that Handlebars threw for input that its grammar accepts, such as a closing tag
 * with another name.
 */
function toProblem(error: unknown): TemplateProblem | undefined {
  if (!(error instanceof Error) || !("lineNumber" in error) || !("column" in error))
    return undefined;
  const { message, lineNumber: line, column } = error;
  if (typeof line !== "number" || typeof column !== "number") return undefined;
  return new TemplateProblem(message.replace(POSITION, ""), line, column + 1);
}
