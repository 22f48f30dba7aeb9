// The schemas of a preview of content that is not stored (contract.md §Previews).
import * as z from "zod";
import { CreateTemplate } from "../../../resources/templates/wire.ts";
import { EmailSendRequest } from "../wire.ts";

/**
 * The members of a new template, except for name and alias, and the members of a send that fill a
 * template.
 */
export const PreviewTemplate = CreateTemplate.omit({ name: true, alias: true }).extend({
  variables: EmailSendRequest.shape.variables.describe(
    "Values for `{{ }}`, with the limits of the `variables` of a send.",
  ),
});

const Problem = z
  .object({
    field: z.enum(["subject", "html", "markdown"]),
    line: z
      .int()
      .min(1)
      .nullable()
      .describe(
        "The line in the field as it was sent; null: the problem concerns the whole field.",
      ),
    column: z
      .int()
      .min(1)
      .nullable()
      .describe(
        "The position in the line, in UTF-16 units from 1; null: the problem concerns the whole field.",
      ),
    message: z
      .string()
      .describe("A text that continues the field's name, like the errors of a 422."),
  })
  .meta({ id: "TemplateProblem" });

export const TemplatePreview = z
  .object({
    subject: z.string().nullable(),
    html: z.string().nullable(),
    text: z.string().nullable(),
    variables: z
      .array(z.string())
      .describe(
        "The variables that the content uses, as a template shows them. A part that has a " +
          "problem is left out.",
      ),
    samples: z
      .record(z.string(), z.unknown())
      .describe(
        "A sample value of each variable, of the type that the content needs: an object for " +
          "`{{company.name}}` and `{{#with company}}`, a list for `{{#each items}}`, true for a " +
          "variable that is used only in a condition.",
      ),
    missing: z
      .array(z.string())
      .describe(
        "The variables that neither `variables` nor `fallbacks` set. They are rendered as nothing.",
      ),
    problems: z
      .array(Problem)
      .describe(
        "Why the content could not be saved, or why a send of it would be refused. A part with " +
          "a problem is null in this answer.",
      ),
  })
  .meta({ id: "TemplatePreview" });
