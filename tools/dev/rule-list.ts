// The rules by which a person or a test makes a double misbehave (docs/local.md). They are set over
// HTTP, count how often each was applied, and survive a restart. Each double adds its own members.
import * as z from "zod";
import { membersOf, readValue, wholeNumber } from "./set-values.ts";
import { StateMirror } from "./state-file.ts";

const DELAY_MAX_MS = 60 * 60 * 1000;

const COMMON = {
  /** Case-insensitive regular expression, which matches a part of the recipient's address. */
  rcpt: z
    .string("is not a string")
    .superRefine((text, context) => {
      try {
        RegExp(text, "i");
      } catch (error) {
        context.addIssue(`is not a regular expression (${(error as Error).message})`);
      }
    })
    .optional(),
  /** Maximum number of times that the rule is applied. Absent means no limit. */
  times: wholeNumber(1).optional(),
  delay_ms: wholeNumber(0, DELAY_MAX_MS).optional(),
};

export const FLAG = z.boolean("is not true or false").optional();

/** Makes the schema of a rule: the members that all doubles share, and the double's own members. */
export const ruleOf = <Own extends z.ZodRawShape>(own: Own) =>
  membersOf({ ...own, ...COMMON }, "is not a member of a rule");

interface Applied<Rule> {
  readonly rule: Rule;
  used: number;
}

export class RuleList<Rule extends { rcpt?: string | undefined; times?: number | undefined }> {
  readonly #rules: z.ZodType<Rule[]>;
  readonly #file: StateMirror;
  #applied: Applied<Rule>[] = [];

  /** The rules and their counts are in the file at `path`. */
  constructor(path: string, rule: z.ZodType<Rule>) {
    this.#rules = z.array(rule, "is not a list");
    this.#file = new StateMirror(path, () => this.list());
    const kept = this.#file.read() as { rules: unknown; used: number[] } | undefined;
    if (kept) this.#set(kept.rules, kept.used);
  }

  /** Replaces all rules and resets their counts. Throws a 400 Problem that names the wrong rule. */
  replace(rules: unknown): void {
    this.#set(rules, []);
    this.#file.keep();
  }

  /** Returns the rules as they were given, and how often each was applied. */
  list(): { rules: Rule[]; used: number[] } {
    return {
      rules: this.#applied.map(({ rule }) => rule),
      used: this.#applied.map(({ used }) => used),
    };
  }

  /**
   * Yields the rules that apply, in their order. Counts each rule when it is yielded. `recipients`
   * is null while they are not known; `rcpt` then has no effect.
   */
  *applying(
    recipients: readonly string[] | null,
    fits: (rule: Rule) => boolean,
  ): Generator<Rule, undefined> {
    for (const applied of this.#applied) {
      const { rule, used } = applied;
      const { rcpt, times = Infinity } = rule;
      const pattern = rcpt === undefined || recipients === null ? null : new RegExp(rcpt, "i");
      if (used >= times || !fits(rule)) continue;
      if (pattern && !recipients!.some((recipient) => pattern.test(recipient))) continue;
      applied.used += 1;
      this.#file.keep();
      yield rule;
    }
  }

  #set(rules: unknown, used: readonly number[]): void {
    this.#applied = readValue(this.#rules, rules, "rules").map((rule, index) => ({
      rule,
      used: used[index] ?? 0,
    }));
  }
}
