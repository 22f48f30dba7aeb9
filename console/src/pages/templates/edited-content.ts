// The editable parts of a template, and their comparison. Pure.

/** The editable parts of a template. The service derives the plain text. */
export interface TemplateContent {
  readonly subject: string;
  readonly source: string;
}

export function isSameContent(left: TemplateContent, right: TemplateContent): boolean {
  return left.subject === right.subject && left.source === right.source;
}
