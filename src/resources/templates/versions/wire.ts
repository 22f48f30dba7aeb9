// Declares the JSON of a template's version (docs/templates.md §Versions).
import * as z from "zod";
import type { Content } from "../template-content.ts";
import { TemplateDraft } from "../wire.ts";
import type { StoredVersion } from "../version-rows.ts";

export const TemplateVersion = z
  .object({
    version: z.int().describe("Counts the template's publications, from 1 on."),
    subject: z.string().nullable(),
    bytes: z.int(),
    is_published: z.boolean().describe("True: sends use this version now."),
    published_at: z.iso.datetime(),
  })
  .meta({ id: "TemplateVersion" });

const { subject: _, variables: __, updated_at: ___, ...content } = TemplateDraft.shape;

export const TemplateVersionWithContent = TemplateVersion.extend(content).meta({
  id: "TemplateVersionWithContent",
});

export function toVersion(
  { number, subject, bytes, publishedAt }: StoredVersion,
  published: number | null,
): z.output<typeof TemplateVersion> {
  return {
    version: number,
    subject,
    bytes,
    is_published: number === published,
    published_at: new Date(publishedAt).toISOString(),
  };
}

export function toWholeVersion(
  row: StoredVersion,
  published: number | null,
  { html, text, markdown, from, replyTo, fallbacks }: Content,
): z.output<typeof TemplateVersionWithContent> {
  return { ...toVersion(row, published), html, text, markdown, from, reply_to: replyTo, fallbacks };
}
