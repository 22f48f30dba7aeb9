// The schemas of a preview of content that is not stored (contract.md §Previews).
import * as z from "zod";
import { CreateTemplate } from "../../../resources/templates/wire.ts";
import { EmailSendRequest } from "../wire.ts";

/** The members of a new template but its name and alias, and those of a send that fill it. */
export const PreviewTemplate = CreateTemplate.omit({ name: true, alias: true }).extend({
  variables: EmailSendRequest.shape.variables.describe(
    "Values for `{{ }}`, with the limits of a send's.",
  ),
});

const Problem = z
  .object({
    field: z.enum(["subject", "html", "markdown"]),
    line: z
      .int()
      .min(1)
      .nullable()
      .describe("In the field as it was sent; null when the problem has no place there."),
    column: z
      .int()
      .min(1)
      .nullable()
      .describe("From 1, in UTF-16 code units; null when the problem has no place there."),
    message: z.string().describe("Continues the field's name, like the errors of a 422."),
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
        "The variables that the content uses, as a template shows them. Without those of a " +
          "part that has a problem.",
      ),
    samples: z
      .record(z.string(), z.unknown())
      .describe(
        "A sample of each of these variables, of the kind that the content makes of it: an " +
          "object for `{{company.name}}` and `{{#with company}}`, a list for `{{#each items}}`, " +
          "true for a name that is only asked for.",
      ),
    missing: z
      .array(z.string())
      .describe(
        "Those that neither `variables` nor `fallbacks` have. They are rendered as nothing.",
      ),
    problems: z
      .array(Problem)
      .describe(
        "Why the content could not be saved, or a send of it would be refused. What a problem " +
          "concerns is null.",
      ),
  })
  .meta({ id: "TemplatePreview" });
