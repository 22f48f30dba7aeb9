// Serves /v1/templates/{id}/versions: lists the published versions of a template, and restores a
// version as the draft (docs/templates.md §Versions).
import { type Endpoint, endpoint, json, listRows } from "../../../endpoint.ts";
import { etagOfDraft } from "../draft-basis.ts";
import { saveDraft } from "../draft-store.ts";
import { getTemplate } from "../store.ts";
import { targetOf, writeDraft } from "../template-target.ts";
import { TemplateDraft, toDraft } from "../wire.ts";
import { getVersion, listVersions, readBody } from "../version-rows.ts";
import { TemplateVersion, TemplateVersionWithContent, toVersion, toWholeVersion } from "./wire.ts";

export const versionEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/templates/:id/versions",
    operationId: "listTemplateVersions",
    summary: "List a template's versions, the newest first",
    description:
      "Each publication makes a version. The newest 50 are kept, of at most 5 MB together.",
    permission: "full",
    paginated: true,
    responses: { 200: TemplateVersion },
    async handle(request) {
      const [scope, id] = await targetOf(request);
      const { version } = await getTemplate(scope, id);
      return listRows(
        request.page,
        async (limit, after) =>
          (await listVersions(scope, id, limit, after)).map((row) => ({
            ...row,
            createdAt: row.publishedAt,
            id: String(row.number),
          })),
        (row) => toVersion(row, version),
      );
    },
  }),
  endpoint({
    method: "GET",
    path: "/v1/templates/:id/versions/:version",
    operationId: "getTemplateVersion",
    summary: "Get a template's version with its content",
    permission: "full",
    responses: { 200: TemplateVersionWithContent },
    async handle(request) {
      const [scope, id] = await targetOf(request);
      const { version } = await getTemplate(scope, id);
      const row = await getVersion(scope, id, request.params["version"] ?? "");
      return json(200, toWholeVersion(row, version, await readBody(request.env.CONTENT, row)));
    },
  }),
  endpoint({
    method: "POST",
    path: "/v1/templates/:id/versions/:version/restore",
    operationId: "restoreTemplateVersion",
    summary: "Make a version's content the template's draft",
    description:
      "Replaces the draft, if there is one. Sends change only when the draft is published. " +
      "`If-Match` takes the `ETag` of the draft or, without a draft, of the template.",
    permission: "full",
    etag: "write",
    audit: { store: "core", operation: "template_version.restore" },
    responses: { 200: TemplateDraft },
    async handle(request) {
      const [scope, id] = await targetOf(request);
      const row = await getVersion(scope, id, request.params["version"] ?? "");
      const content = await readBody(request.env.CONTENT, row);
      const draft = await writeDraft(request, scope, id, (before) =>
        saveDraft(scope, id, content, before, request.now),
      );
      return json(200, toDraft(draft), { ETag: etagOfDraft(draft) });
    },
  }),
];
