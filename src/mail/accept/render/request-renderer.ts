// Renders the templates of one request. Each distinct source is compiled once. All templates share
// one budget of work, because a batch has 100 sends with several templates each (decision 0014).
import {
  compileTemplate,
  type CompiledTemplate,
  templateKey,
} from "../../../lib/template/compile.ts";
import { newMeter } from "../../../lib/template/meter.ts";
import type { VariablePath } from "../../../lib/template/variable-names.ts";
import type { TemplateError } from "../../../lib/template/problem.ts";
import { renderTemplate } from "../../../lib/template/render.ts";
import type { TextFlow } from "../../../lib/template/rendering.ts";
import {
  RENDERED_CHARACTERS_PER_REQUEST,
  RENDER_STEPS_PER_REQUEST,
  TEMPLATE_WORK_PER_REQUEST,
} from "../../../limits.ts";
import type { JsonObject } from "../fields.ts";

type Rendered =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "too_long" }
  /** `problem` continues a sentence that starts with the field's name. */
  | { readonly kind: "error"; readonly problem: string };

const SPENT: Rendered = {
  kind: "error",
  problem:
    "exceeds the rendering limit that all templates of one request share: " +
    "send fewer emails, or simpler templates",
};

/**
 * Cost of one step of rendering, or of one parsed token, in octets: writing this number of octets
 * takes about the same time.
 */
const OCTETS_PER_STEP = 32;

export class RequestRenderer {
  readonly #meter = newMeter();
  #octetsTaken = 0;
  readonly #compiled = new Map<string, CompiledTemplate | TemplateError>();

  /**
   * Renders a source. `escape` is true for HTML. `flow` is present for text that was derived from
   * HTML. The result is well-formed Unicode.
   */
  render(
    source: string,
    variables: JsonObject,
    { escape, flow }: { readonly escape: boolean; readonly flow?: TextFlow },
  ): Rendered {
    if (!source.includes("{{")) return { kind: "text", text: source };
    const template = this.#isSpent() ? undefined : this.#compile(source);
    if (template?.kind === "error") return { kind: "error", problem: template.message };
    if (!template || this.#isSpent()) return SPENT;
    const result = renderTemplate(template, variables, { escape, flow, meter: this.#meter });
    if (result.kind === "error")
      return result.exceeded === "characters"
        ? { kind: "too_long" }
        : { kind: "error", problem: result.message };
    return this.#isSpent() ? SPENT : { kind: "text", text: result.text.toWellFormed() };
  }

  /**
   * Returns the variables that a source reads. Returns no names if the request's budget is used up.
   * Callers call this after the last rendering, and use the names only in a warning.
   */
  variablesOf(source: string | null): readonly VariablePath[] {
    if (source === null || !source.includes("{{") || this.#isSpent()) return [];
    const template = this.#compile(source);
    if (template.kind === "error") return [];
    this.#meter.steps += template.variables.length;
    return template.variables;
  }

  /**
   * Returns the work since the previous call, as the number of octets that could be written in the
   * same time (lib/step-scheduler.ts).
   */
  takeOctets(): number {
    const { work, steps, characters } = this.#meter;
    const octets = (work + steps) * OCTETS_PER_STEP + characters;
    const taken = octets - this.#octetsTaken;
    this.#octetsTaken = octets;
    return taken;
  }

  #compile(source: string): CompiledTemplate | TemplateError {
    const key = templateKey(source);
    const known = this.#compiled.get(key) ?? compileTemplate(source, this.#meter, key);
    this.#compiled.set(key, known);
    return known;
  }

  #isSpent(): boolean {
    const { work, steps, characters } = this.#meter;
    return (
      work > TEMPLATE_WORK_PER_REQUEST ||
      steps > RENDER_STEPS_PER_REQUEST ||
      characters > RENDERED_CHARACTERS_PER_REQUEST
    );
  }
}
