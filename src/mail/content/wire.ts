// The JSON of GET /v1/email/{id}/content (contract.md §Kept content).
import * as z from "zod";
import type { ShownContent } from "./shown-content.ts";

export const EmailContent = z.object({
  html: z.string().nullable(),
  text: z.string().nullable(),
  headers: z
    .record(z.string(), z.string())
    .describe("The fields of the header by name, with `From`, `To`, `Reply-To` and `Subject`."),
  attachments: z.array(
    z.object({
      index: z.int(),
      filename: z.string(),
      content_type: z.string(),
      content_id: z.string().nullable().describe("The HTML shows the file as `cid:<content_id>`."),
      size: z.int().describe("In bytes."),
      download_url: z.string().describe("Opens the file without a key."),
      download_expires_at: z.iso.datetime().describe("An hour from now."),
    }),
  ),
  kept_until: z.iso.datetime(),
});

/** Returns the JSON. `links` are the links of the attachments, in order. */
export function toEmailContent(
  { html, text, headers, attachments }: ShownContent,
  keptUntil: number,
  links: readonly { readonly url: string; readonly until: number }[],
): z.output<typeof EmailContent> {
  return {
    html,
    text,
    headers: { ...headers },
    attachments: attachments.map(({ filename, contentType, contentId, content }, index) => ({
      index,
      filename,
      content_type: contentType,
      content_id: contentId,
      size: content.length,
      download_url: links[index]!.url,
      download_expires_at: new Date(links[index]!.until).toISOString(),
    })),
    kept_until: new Date(keptUntil).toISOString(),
  };
}
