// The schemas of POST /v1/email/check (contract.md §Checks before a send).
import * as z from "zod";
import { CreateTemplate } from "../../resources/templates/wire.ts";
import { EmailSendRequest } from "../accept/wire.ts";
import { LINT_RULES, SEVERITIES } from "../../lint/mail-problem.ts";

/**
 * The members of a send, or of a template that is not saved, or a whole message. The schema does
 * not refuse a member of a wrong type, because the check itself reports it, with the text of a
 * send.
 */
export const EmailCheckRequest = z
  .object({
    ...lenient({
      ...EmailSendRequest.shape,
      subject: z.string().nullable().describe("The subject of the send, or of the template."),
      html: z.string().nullable().describe("The HTML of the send, or of a template of `kind`."),
      kind: z
        .enum(["html", "markdown"])
        .describe("The kind of a template that is not saved. Its content is `html` or `markdown`."),
      markdown: CreateTemplate.shape.markdown,
      fallbacks: CreateTemplate.shape.fallbacks,
    }),
    raw: z
      .string()
      .optional()
      .describe("A whole message (RFC 5322) in place of all other members: as text, or in base64."),
  })
  .meta({ id: "EmailCheckRequest" });

/** `refused` names an error of a send. Only the service can judge the rule `domain-records`. */
const SERVICE_RULES = ["refused", "domain-records"] as const;

const MailProblem = z
  .object({
    rule: z
      .enum([...SERVICE_RULES, ...LINT_RULES])
      .describe(
        "`refused`: a send would get this error. The others are named in docs/mail-check.md.",
      ),
    severity: z.enum(SEVERITIES),
    where: z.object({
      field: z.string().describe("A member of the request, or `markdown` of its template."),
      line: z
        .int()
        .min(1)
        .nullable()
        .describe("The line in the source that the author wrote; null: the whole field."),
      column: z.int().min(1).nullable().describe("The UTF-16 unit in the line, from 1."),
    }),
    message: z.string(),
    help: z.string().describe("How to mend the mail, with the rule's source."),
  })
  .meta({ id: "EmailProblem" });

const CopyView = z
  .object({
    bytes: z.int().describe("The size of the whole copy, without its DKIM signature."),
    headers: z.array(z.object({ name: z.string(), value: z.string() })),
    text: z.string().nullable(),
    html: z.string().nullable().describe("After tracking. Its tracked links lead nowhere."),
  })
  .meta({ id: "EmailCopy" });

/** The steps of a send that no check can judge, because their result can change before the send. */
export const NOT_CHECKED = ["rate", "quota", "labels", "suppression"] as const;

export const EmailCheck = z
  .object({
    problems: z
      .array(MailProblem)
      .describe("First the errors of a send, then all others from the worst to the least."),
    copy: CopyView.nullable().describe(
      "The copy of the first recipient. Null: a send would be refused before it is composed.",
    ),
    not_checked: z
      .array(z.string())
      .describe(
        `Always ${NOT_CHECKED.map((name) => `\`${name}\``).join(", ")}; and \`files\` if ` +
          "`attachments` name files by `path`, which are not fetched.",
      ),
  })
  .meta({ id: "EmailCheck" });

function lenient(shape: Readonly<Record<string, z.ZodType>>): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [name, schema.optional().catch(asGiven)]),
  );
}

/**
 * Returns the value as given. To describe the schema, zod calls this function without a context.
 */
function asGiven(context: { readonly input: unknown } | undefined): unknown {
  return context?.input;
}
