// Texts about a template's state, and the positions of its problems. Pure.
import type {
  Template,
  TemplateProblem,
} from "../../../../packages/postern/src/generated/types.ts";
import { offsetOf } from "./variables-json.ts";

type TemplateState = Pick<Template, "has_draft" | "published_at">;

export type StateName = "published" | "draft pending" | "not published";

export function stateOf({
  has_draft: hasDraft,
  published_at: publishedAt,
}: TemplateState): StateName {
  if (publishedAt === null) return "not published";
  return hasDraft ? "draft pending" : "published";
}

/** Writes how many templates of a list have unpublished changes. */
export function describeTemplates(templates: readonly TemplateState[]): string {
  const drafts = templates.filter((one) => stateOf(one) === "draft pending").length;
  const unpublished = templates.filter((one) => stateOf(one) === "not published").length;
  const parts = [
    ...(drafts > 0 ? [`${drafts} with unpublished changes`] : []),
    ...(unpublished > 0 ? [`${unpublished} not published`] : []),
  ];
  return parts.length === 0 ? "All published" : parts.join(" · ");
}

/** Describes which version messages use. */
export function describeTemplate(template: TemplateState, isChanged: boolean): string {
  const state =
    isChanged && stateOf(template) === "published" ? "draft pending" : stateOf(template);
  const sentence = {
    published: "Messages use this version.",
    "draft pending": "Messages use the published version until you publish this draft.",
    "not published": "Publish the template to use it.",
  }[state];
  return isChanged ? `Unsaved changes. ${sentence}` : sentence;
}

/** A problem's position in the editor's text. */
export interface Mark {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/**
 * Returns the marks for the problems of one field. A problem of the whole field is marked in the
 * first line.
 */
export function marksOf(problems: readonly TemplateProblem[], field: string, text: string): Mark[] {
  return problems
    .filter((problem) => problem.field === field)
    .map(({ line, column, message }) => {
      const from = line === null ? 0 : offsetOf(text, line, column ?? 1);
      const end = text.indexOf("\n", from);
      return { from, to: end === -1 ? text.length : end, message: `${field} ${message}` };
    });
}
