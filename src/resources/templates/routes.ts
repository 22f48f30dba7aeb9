// Serves /v1/templates. Content is written to a draft, and sends use the draft after it was
// published (contract.md §Drafts and publishing). A path names a template by its id or alias
// (contract.md §Aliases). A template that the team does not have gets 404, even when the id is
// malformed.
import { coreOf, type Scope } from "../../db/client.ts";
import { type ApiRequest, type Endpoint, endpoint, json, listPage } from "../../endpoint.ts";
import { newId } from "../../lib/ids.ts";
import { getDraft, publishDraft, removeDraft, saveDraft } from "./draft-store.ts";
import { forgetTemplates } from "./template-cache.ts";
import { readChange, readFirstContent } from "./template-content.ts";
import { makeCopyNames } from "./template-names.ts";
import {
  duplicateTemplate,
  findTemplateId,
  getTemplate,
  insertTemplate,
  listTemplates,
  removeTemplate,
  type TemplatePosition,
  updateTemplate,
} from "./store.ts";
import {
  CreateTemplate,
  DuplicateTemplate,
  Template,
  TemplateDraft,
  toDraft,
  toListed,
  toTemplate,
  UpdateDraft,
  UpdateTemplate,
} from "./wire.ts";

const templates: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/templates",
    summary: "List templates",
    permission: "full",
    paginated: true,
    responses: { 200: Template },
    async handle(request) {
      const { limit, after } = request.page;
      const { rows, hasMore } = await listTemplates(
        coreOf(request),
        limit,
        after === null ? null : (JSON.parse(after) as TemplatePosition),
      );
      const last = hasMore ? rows.at(-1) : undefined;
      return listPage(
        rows.map(toListed),
        last
          ? JSON.stringify({ createdAt: last.createdAt, id: last.id } satisfies TemplatePosition)
          : null,
      );
    },
  }),
  endpoint({
    method: "POST",
    path: "/v1/templates",
    summary: "Create a template",
    description: "The new template is unpublished. Content in the request becomes its first draft.",
    permission: "full",
    body: CreateTemplate,
    responses: { 201: Template },
    async handle(request) {
      const { name, alias = null, kind, ...input } = request.body;
      const draft = readFirstContent(kind, input);
      const template = { id: newId("template"), name, alias, kind, now: request.now };
      const inserted = await insertTemplate(coreOf(request), template, draft);
      if (alias !== null) forgetTemplates(coreOf(request));
      return json(201, toTemplate(inserted));
    },
  }),
  endpoint({
    method: "GET",
    path: "/v1/templates/:id",
    summary: "Get a template with its published content",
    description: "`variables` lists the variables that the published content uses.",
    permission: "full",
    responses: { 200: Template },
    async handle(request) {
      return json(200, toTemplate(await getTemplate(...(await targetOf(request)))));
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/v1/templates/:id",
    summary: "Change a template's name or alias",
    description: '`"alias": null` removes the alias.',
    permission: "full",
    body: UpdateTemplate,
    responses: { 200: Template },
    async handle(request) {
      const { name, alias } = request.body;
      const [scope, id] = await targetOf(request);
      if (name === undefined && alias === undefined)
        return json(200, toTemplate(await getTemplate(scope, id)));
      const updated = await updateTemplate(scope, id, { name, alias }, request.now);
      if (alias !== undefined) forgetTemplates(scope);
      return json(200, toTemplate(updated));
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/v1/templates/:id",
    summary: "Delete a template and its draft",
    permission: "full",
    responses: { 204: null },
    async handle(request) {
      const [scope, id] = await targetOf(request);
      await removeTemplate(scope, id);
      forgetTemplates(scope);
      return { status: 204 };
    },
  }),
  endpoint({
    method: "POST",
    path: "/v1/templates/:id/duplicate",
    summary: "Copy a template",
    description:
      "The copy is unpublished. Its draft is a copy of the source's draft or, without one, of " +
      "the source's published content.",
    permission: "full",
    body: DuplicateTemplate,
    optionalBody: true,
    responses: { 201: Template },
    async handle(request) {
      const [scope, id] = await targetOf(request);
      const { name } = request.body;
      const names =
        name === undefined ? makeCopyNames((await getTemplate(scope, id)).name) : [name];
      const copy = { id: newId("template"), names, now: request.now };
      return json(201, toTemplate(await duplicateTemplate(scope, id, copy)));
    },
  }),
];

const drafts: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/templates/:id/draft",
    summary: "Get a template's draft",
    permission: "full",
    responses: { 200: TemplateDraft },
    async handle(request) {
      return json(200, toDraft(await getDraft(...(await targetOf(request)))));
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/v1/templates/:id/draft",
    summary: "Change a template's draft, or begin one",
    description:
      "Only the given members change; `null` clears a member. A new draft starts with the " +
      "published content.",
    permission: "full",
    body: UpdateDraft,
    responses: { 200: TemplateDraft },
    async handle(request) {
      const [scope, id] = await targetOf(request);
      const { kind } = await getTemplate(scope, id);
      const change = readChange(kind, request.body);
      return json(200, toDraft(await saveDraft(scope, id, change, request.now)));
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/v1/templates/:id/draft",
    summary: "Discard a template's draft",
    permission: "full",
    responses: { 204: null },
    async handle(request) {
      await removeDraft(...(await targetOf(request)));
      return { status: 204 };
    },
  }),
  endpoint({
    method: "POST",
    path: "/v1/templates/:id/publish",
    summary: "Publish a template's draft",
    description: "The draft replaces the published content and is deleted.",
    permission: "full",
    errors: [422],
    responses: { 200: Template },
    async handle(request) {
      const [scope, id] = await targetOf(request);
      const published = await publishDraft(scope, id, request.now);
      forgetTemplates(scope);
      return json(200, toTemplate(published));
    },
  }),
];

/** The scope of the caller's team, and the id of the template in the path. */
async function targetOf(request: ApiRequest): Promise<[Scope, string]> {
  const scope = coreOf(request);
  return [scope, await findTemplateId(scope, request.id)];
}

export const templateEndpoints: readonly Endpoint[] = [...templates, ...drafts];
