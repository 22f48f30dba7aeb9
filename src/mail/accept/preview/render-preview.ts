// Renders content that is not stored, as if it were saved as a template and then sent (contract.md
// §Previews). The result contains the problems, because an editor shows them beside the parts
// without problems.
import type * as z from "zod";
import { yieldAfter } from "../../../lib/step-scheduler.ts";
import {
  type Content,
  type ContentInput,
  type ContentProblem,
  examineContent,
  type Kind,
} from "../../../resources/templates/template-content.ts";
import { withFallbacks } from "../../../resources/templates/fallbacks.ts";
import type { TemplateParts } from "../../../resources/templates/sendable.ts";
import { sampleVariables } from "../../../resources/templates/sample-variables.ts";
import { findVariables, LINK_VARIABLE } from "../../../resources/templates/template-variables.ts";
import type { JsonObject } from "../fields.ts";
import { FieldProblems } from "../field-problems.ts";
import { findMissingVariables } from "../render/missing-variables.ts";
import {
  EMPTY_SUBJECT,
  renderSubjectLine,
  renderTemplatePart,
  type SendRenderer,
} from "../render/render-send.ts";
import { RequestRenderer } from "../render/request-renderer.ts";
import type { TemplatePreview } from "./wire.ts";

interface Previewed {
  readonly kind: Kind;
  readonly input: ContentInput;
  readonly variables: JsonObject;
  /** The link for the variable `unsubscribe_url`, unless the given variables have that variable. */
  readonly link: string;
}

export async function renderPreview(given: Previewed): Promise<z.output<typeof TemplatePreview>> {
  const { kind, input, variables, link } = given;
  const { content, problems } = examineContent(kind, input);
  const renderer = new RequestRenderer();
  const send: SendRenderer = {
    variables: { [LINK_VARIABLE]: link, ...withFallbacks(variables, content.fallbacks) },
    linkPlaceholder: undefined,
    renderer,
    problems: new FieldProblems(),
  };
  const parts = renderParts(kind, content, send);
  await yieldAfter(renderer.takeOctets());
  const missing = missingNames(content, variables, renderer);
  const isEmpty = parts.subject?.trim() === "" && missing.length === 0;
  if (isEmpty) send.problems.invalid("subject", EMPTY_SUBJECT);
  return {
    ...parts,
    subject: isEmpty ? null : parts.subject,
    variables: findVariables(content),
    samples: sampleVariables(content),
    missing,
    problems: [...problems, ...renderingProblems(send.problems)],
  };
}

function renderParts(
  kind: Kind,
  { subject, html, text }: TemplateParts,
  send: SendRenderer,
): TemplateParts {
  const source = (part: string, path: string, problemStart = "") =>
    ({ text: part, path, problemStart }) as const;
  return {
    subject:
      subject === null ? null : (renderSubjectLine(source(subject, "subject"), send) ?? null),
    html: html === null ? null : renderTemplatePart("html", source(html, kind), send),
    text:
      text === null
        ? null
        : renderTemplatePart("text", source(text, kind, "has a plain-text form that "), send),
  };
}

/**
 * Returns the names of variables that the content uses but that are in neither the variables nor
 * the fallbacks.
 */
function missingNames(
  template: Content,
  variables: JsonObject,
  renderer: RequestRenderer,
): string[] {
  const found = findMissingVariables([{ place: "", subject: null, variables, template }], renderer);
  return Array.from(found, ({ path }) => path.join(".")).toSorted();
}

function renderingProblems({ errors }: FieldProblems): ContentProblem[] {
  return Object.entries(errors).flatMap(([path, messages]) =>
    messages.map((message) => {
      const field = path as ContentProblem["field"];
      return { field, line: null, column: null, message };
    }),
  );
}
