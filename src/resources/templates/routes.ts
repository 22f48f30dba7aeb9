// Serves /v1/templates. Requests write content to a draft, and sends use only published content
// (contract.md §Drafts and publishing). A path names a template by its id or alias (contract.md
// §Aliases). A template that the team does not have gets 404, even if the id is malformed.
import { coreOf } from "../../db/client.ts";
import {
  type Endpoint,
  endpoint,
  type HttpReply,
  json,
  listPage,
  type RowPosition,
  rowPositionText,
} from "../../endpoint.ts";
import { newId } from "../../lib/ids.ts";
import { writeIfMatch } from "../../write-if-match.ts";
import { type DraftBasis, etagOfDraft, etagOfTemplate } from "./draft-basis.ts";
import {
  getDraft,
  type KnownBasis,
  removeDraft,
  saveDraft,
  type StoredDraft,
} from "./draft-store.ts";
import { forgetTemplates } from "./template-cache.ts";
import { readChange, readFirstContent } from "./template-content.ts";
import { makeCopyNames } from "./template-names.ts";
import { targetOf, writeDraft } from "./template-target.ts";
import { publishVersion } from "./versions/publish-draft.ts";
import {
  duplicateTemplate,
  getTemplate,
  insertTemplate,
  listTemplates,
  removeTemplate,
  type StoredTemplate,
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
      const position = after === null ? null : (JSON.parse(after) as RowPosition);
      const { rows, hasMore } = await listTemplates(coreOf(request), limit, position);
      const last = hasMore ? rows.at(-1) : undefined;
      return listPage(rows.map(toListed), last ? rowPositionText(last) : null);
    },
  }),
  endpoint({
    method: "POST",
    path: "/v1/templates",
    summary: "Create a template",
    description: "The new template is unpublished. Content in the request becomes its first draft.",
    permission: "full",
    body: CreateTemplate,
    audit: { store: "core", operation: "template.create" },
    etag: "read",
    responses: { 201: Template },
    async handle(request) {
      const { name, alias = null, kind, sensitive = false, ...given } = request.body;
      const { reply_tracking: replyTracking = false, ...input } = given;
      const draft = readFirstContent(kind, input);
      const flags = { sensitive, replyTracking };
      const template = { id: newId("template"), name, alias, kind, ...flags, now: request.now };
      const inserted = await insertTemplate(coreOf(request), template, draft);
      if (alias !== null) forgetTemplates(coreOf(request));
      return show(inserted, 201);
    },
  }),
  endpoint({
    method: "GET",
    path: "/v1/templates/:id",
    summary: "Get a template with its published content",
    description: "`variables` lists the variables that the published content uses.",
    permission: "full",
    etag: "read",
    responses: { 200: Template },
    async handle(request) {
      return show(await getTemplate(...(await targetOf(request))));
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/v1/templates/:id",
    summary: "Change a template's name, its alias or what holds for all its mail",
    description: '`"alias": null` removes the alias.',
    permission: "full",
    body: UpdateTemplate,
    audit: { store: "core", operation: "template.update" },
    etag: "write",
    responses: { 200: Template },
    async handle(request) {
      const { name, alias, sensitive, reply_tracking: replyTracking } = request.body;
      const [scope, id] = await targetOf(request);
      const change = { name, alias, sensitive, replyTracking };
      const isChange = Object.values(change).some((member) => member !== undefined);
      const read = () => getTemplate(scope, id);
      const updated = await writeIfMatch(request, {
        read,
        etagOf: etagOfTemplate,
        write: (before) =>
          isChange ? updateTemplate(scope, id, change, before, request.now) : read(),
      });
      if ([alias, sensitive, replyTracking].some((member) => member !== undefined))
        forgetTemplates(scope);
      return show(updated);
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/v1/templates/:id",
    summary: "Delete a template and its draft",
    description: "`If-Match` takes the `ETag` of the draft or, without a draft, of the template.",
    permission: "full",
    audit: { store: "core", operation: "template.delete" },
    etag: "write",
    responses: { 204: null },
    async handle(request) {
      const [scope, id] = await targetOf(request);
      await writeDraft(request, scope, id, (before) => removeTemplate(scope, id, before));
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
    audit: { store: "core", operation: "template.duplicate" },
    optionalBody: true,
    etag: "read",
    responses: { 201: Template },
    async handle(request) {
      const [scope, id] = await targetOf(request);
      const { name } = request.body;
      const names =
        name === undefined ? makeCopyNames((await getTemplate(scope, id)).name) : [name];
      const copy = { id: newId("template"), names, now: request.now };
      return show(await duplicateTemplate(scope, id, copy), 201);
    },
  }),
];

const drafts: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/templates/:id/draft",
    summary: "Get a template's draft",
    permission: "full",
    etag: "read",
    responses: { 200: TemplateDraft },
    async handle(request) {
      return showDraft(await getDraft(...(await targetOf(request))));
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/v1/templates/:id/draft",
    summary: "Change a template's draft, or begin one",
    description:
      "Only the given members change; `null` clears a member. A new draft starts with the " +
      "published content. `If-Match` takes the `ETag` of the draft or, without a draft, of the " +
      "template.",
    permission: "full",
    body: UpdateDraft,
    audit: { store: "core", operation: "template_draft.update" },
    etag: "write",
    responses: { 200: TemplateDraft },
    async handle(request) {
      const [scope, id] = await targetOf(request);
      const { kind } = await getTemplate(scope, id);
      const change = readChange(kind, request.body);
      const write = (before: DraftBasis | null) =>
        saveDraft(scope, id, change, before, request.now);
      return showDraft(await writeDraft(request, scope, id, write));
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/v1/templates/:id/draft",
    summary: "Discard a template's draft",
    permission: "full",
    audit: { store: "core", operation: "template_draft.delete" },
    etag: "write",
    responses: { 204: null },
    async handle(request) {
      const [scope, id] = await targetOf(request);
      await writeDraft(request, scope, id, (before) => removeDraft(scope, id, before));
      return { status: 204 };
    },
  }),
  endpoint({
    method: "POST",
    path: "/v1/templates/:id/publish",
    summary: "Publish a template's draft",
    description:
      "The draft replaces the published content and is deleted. The new content is kept as a " +
      "version. `If-Match` takes the draft's " +
      "`ETag`.",
    permission: "full",
    errors: [422],
    audit: { store: "core", operation: "template.publish" },
    etag: "write",
    responses: { 200: Template },
    async handle(request) {
      const [scope, id] = await targetOf(request);
      const write = (before: KnownBasis | null) =>
        publishVersion(request.env, scope, id, before, request.now);
      const published = await writeDraft(request, scope, id, write);
      forgetTemplates(scope);
      return show(published);
    },
  }),
];

function show(template: StoredTemplate, status = 200): HttpReply {
  return json(status, toTemplate(template), { ETag: etagOfTemplate(template) });
}

function showDraft(draft: StoredDraft): HttpReply {
  return json(200, toDraft(draft), { ETag: etagOfDraft(draft) });
}

export const templateEndpoints: readonly Endpoint[] = [...templates, ...drafts];
