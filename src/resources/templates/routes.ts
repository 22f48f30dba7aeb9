// Serves /v1/templates, which writes content into a draft. Sends use the draft once it is published
// (contract.md §Drafts and publishing). An id that is not one of the team's is 404, even when it is
// malformed.
import { coreOf } from "../../db/client.ts";
import { type Endpoint, endpoint, json, listPage } from "../../endpoint.ts";
import { newId } from "../../lib/ids.ts";
import { forgetTemplate } from "./template-cache.ts";
import { readChange, readFirstContent } from "./template-content.ts";
import { makeCopyNames } from "./template-names.ts";
import {
  duplicateTemplate,
  getDraft,
  getTemplate,
  insertTemplate,
  listTemplates,
  publishDraft,
  removeDraft,
  removeTemplate,
  renameTemplate,
  saveDraft,
  type TemplatePosition,
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
    description: "The template is unpublished. Content in the request becomes its first draft.",
    permission: "full",
    body: CreateTemplate,
    responses: { 201: Template },
    async handle(request) {
      const { name, kind, ...input } = request.body;
      const draft = readFirstContent(kind, input);
      const template = { id: newId("template"), name, kind, now: request.now };
      return json(201, toTemplate(await insertTemplate(coreOf(request), template, draft)));
    },
  }),
  endpoint({
    method: "GET",
    path: "/v1/templates/:id",
    summary: "Get a template with its published content",
    description: "`variables` lists the variables that this content uses.",
    permission: "full",
    responses: { 200: Template },
    async handle(request) {
      return json(200, toTemplate(await getTemplate(coreOf(request), request.id)));
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/v1/templates/:id",
    summary: "Rename a template",
    permission: "full",
    body: UpdateTemplate,
    responses: { 200: Template },
    async handle(request) {
      const { name } = request.body;
      const scope = coreOf(request);
      const row =
        name === undefined
          ? getTemplate(scope, request.id)
          : renameTemplate(scope, request.id, name, request.now);
      return json(200, toTemplate(await row));
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/v1/templates/:id",
    summary: "Delete a template and its draft",
    permission: "full",
    responses: { 204: null },
    async handle(request) {
      await removeTemplate(coreOf(request), request.id);
      forgetTemplate(coreOf(request), request.id);
      return { status: 204 };
    },
  }),
  endpoint({
    method: "POST",
    path: "/v1/templates/:id/duplicate",
    summary: "Copy a template",
    description:
      "The copy is unpublished. Its draft is the source's draft or, without one, the " +
      "source's published content.",
    permission: "full",
    body: DuplicateTemplate,
    optionalBody: true,
    responses: { 201: Template },
    async handle(request) {
      const scope = coreOf(request);
      const { name } = request.body;
      const names =
        name === undefined ? makeCopyNames((await getTemplate(scope, request.id)).name) : [name];
      const copy = { id: newId("template"), names, now: request.now };
      return json(201, toTemplate(await duplicateTemplate(scope, request.id, copy)));
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
      return json(200, toDraft(await getDraft(coreOf(request), request.id)));
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/v1/templates/:id/draft",
    summary: "Change a template's draft, or begin one",
    description:
      "Only the given members change; `null` clears one. A new draft starts with the " +
      "published content.",
    permission: "full",
    body: UpdateDraft,
    responses: { 200: TemplateDraft },
    async handle(request) {
      const scope = coreOf(request);
      const { kind } = await getTemplate(scope, request.id);
      return json(
        200,
        toDraft(await saveDraft(scope, request.id, readChange(kind, request.body), request.now)),
      );
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/v1/templates/:id/draft",
    summary: "Discard a template's draft",
    permission: "full",
    responses: { 204: null },
    async handle(request) {
      await removeDraft(coreOf(request), request.id);
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
      const published = await publishDraft(coreOf(request), request.id, request.now);
      forgetTemplate(coreOf(request), request.id);
      return json(200, toTemplate(published));
    },
  }),
];

export const templateEndpoints: readonly Endpoint[] = [...templates, ...drafts];
