// Compiles a template of the Handlebars language (docs/templates.md) to closures over JSON data: no
// code is made from strings, no function of the data is called, and hostile source is refused in
// linear time (decision 0014).
import { createHash } from "node:crypto";
import type { Meter } from "./meter.ts";
import { TemplateProblem, type TemplateError } from "./problem.ts";
import type { VariablePath } from "./variable-names.ts";
import { scanTemplate } from "./scan.ts";
import type { Render } from "./scope.ts";
import { compileProgram } from "./statements.ts";
import { parseTemplate } from "./syntax.ts";
import { WeightedCache } from "./weighted-cache.ts";

/** Opaque but for its kind; render it with `renderTemplate`. */
export interface CompiledTemplate {
  readonly kind: "template";
  readonly render: Render;
  /** What it reads in the caller's variables, each path once. */
  readonly variables: readonly VariablePath[];
  /** What parsing it cost. */
  readonly work: number;
}

/** Weights are bytes of memory, roughly: of the source, and of the closures of a tag. */
const CACHE_BYTES = 16_000_000;
const BYTES_OF_TEMPLATE = 1_000;
const BYTES_OF_CHARACTER = 4;
const BYTES_OF_TAG = 800;

/**
 * Of text that is not much longer V8 hashes the length alone: in a map it would be compared with
 * every other of its length.
 */
const MAP_KEY_CHARACTERS = 16_000;

const cache = new WeightedCache<CompiledTemplate>(CACHE_BYTES);

/**
 * Compiles once per source and isolate. A source without a tag is a template as well, of itself.
 * `meter` is told of the work in any case, so that what a caller allows does not hang on what the
 * isolate has seen before. `key` is templateKey(source), for a caller that knows it already.
 */
export function compileTemplate(
  source: string,
  meter?: Meter,
  key?: string,
): CompiledTemplate | TemplateError {
  if (!source.includes("{{"))
    return { kind: "template", render: (_, run) => run.write(source), variables: [], work: 0 };
  const place = key ?? templateKey(source);
  const known = cache.find(place);
  if (meter && known) meter.work += known.work;
  if (known) return known;
  try {
    const scanned = scanTemplate(source);
    if (meter) meter.work += scanned.work;
    const template: CompiledTemplate = {
      kind: "template",
      ...compileProgram(parseTemplate(source, scanned)),
      work: scanned.work,
    };
    cache.insert(
      place,
      template,
      BYTES_OF_TEMPLATE + BYTES_OF_CHARACTER * source.length + BYTES_OF_TAG * scanned.tags,
    );
    return template;
  } catch (error) {
    if (error instanceof TemplateProblem) return error.toError();
    throw error;
  }
}

/**
 * A key for maps by source: the source, or the SHA-256 of a long one, which is mistaken for no
 * source with a tag.
 */
export function templateKey(source: string): string {
  return source.length <= MAP_KEY_CHARACTERS
    ? source
    : createHash("sha256").update(source).digest("base64");
}
