// Serves POST /v1/templates/preview: content as a send would render it, without storing anything
// (contract.md §Previews).
import type * as z from "zod";
import {
  type ApiRequest,
  type Endpoint,
  endpoint,
  type HttpReply,
  json,
} from "../../../endpoint.ts";
import { FieldProblems } from "../field-problems.ts";
import { readVariables } from "../variables.ts";
import { renderPreview } from "./render-preview.ts";
import { PreviewTemplate, TemplatePreview } from "./wire.ts";

export const previewEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/v1/templates/preview",
    summary: "Render a template's content without storing it",
    description:
      "Takes the content of a new template and `variables`, and returns the text that a send " +
      "would have. Content is rendered even without variables. `unsubscribe_url` is a link that " +
      "leads nowhere, unless `variables` has one. Content that could not be saved is a 200 too: " +
      "`problems` says what is wrong, and where.",
    permission: "full",
    body: PreviewTemplate,
    responses: { 200: TemplatePreview },
    handle: preview,
  }),
];

async function preview({
  settings,
  body: { kind, variables: given, ...input },
}: ApiRequest<z.output<typeof PreviewTemplate>>): Promise<HttpReply> {
  const problems = new FieldProblems();
  const variables = readVariables({ variables: given }, problems);
  problems.throwIfAny();
  const link = `${settings.publicUrl}/u/preview`;
  return json(200, await renderPreview({ kind, input, variables, link }));
}
