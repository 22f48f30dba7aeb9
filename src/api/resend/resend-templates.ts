// Resend's endpoints of templates, translated to Postern's (docs/from-resend.md §Templates).
import { isJsonObject } from "../../lib/json.ts";
import type { JsonObject } from "../../mail/accept/fields.ts";
import { bareId, idSegment } from "./bare-ids.ts";
import { serveList } from "./lists.ts";
import { ignoreOthers, type OwnApi, type ResendEndpoint } from "./resend-endpoint.ts";
import {
  CONTENT,
  contentOf,
  type OwnDraft,
  type Template,
  TEMPLATE_NAMES,
  toListedTemplate,
  toResendTemplate,
} from "./template-shape.ts";

const PATH = "/v1/templates";
/** Members that change the template at once. All other members go into its draft. */
const SETTINGS = ["name", "alias", "kind", "markdown"] as const;
const TEMPLATE_MEMBERS: ReadonlySet<string> = new Set([...SETTINGS, ...CONTENT, "variables"]);

export const templateEndpoints: readonly ResendEndpoint[] = [
  {
    method: "GET",
    path: "/templates",
    handle: (request, own) =>
      serveList<Template>(request, own, {
        path: PATH,
        find: (id) => own.askUnless(404, { method: "GET", path: pathOf(id) }),
        present: toListedTemplate,
      }),
  },
  {
    method: "POST",
    path: "/templates",
    status: 201,
    memberNames: TEMPLATE_NAMES,
    async handle({ body }, own) {
      const { id } = await own.ask<Template>({
        method: "POST",
        path: PATH,
        body: isJsonObject(body) ? { ...membersOf(body, own), ...contentOf(body) } : body,
      });
      return answerOf(id);
    },
  },
  {
    method: "GET",
    path: "/templates/:id",
    async handle({ params }, own) {
      const template = await find(params["id"], own);
      const draft = template.has_draft
        ? await own.askUnless<OwnDraft>(404, {
            method: "GET",
            path: `${pathOf(template.id)}/draft`,
          })
        : undefined;
      return toResendTemplate(template, draft);
    },
  },
  {
    method: "PATCH",
    path: "/templates/:id",
    memberNames: TEMPLATE_NAMES,
    async handle({ params, body }, own) {
      const { id } = await find(params["id"], own);
      const change = isJsonObject(body) ? contentOf(body) : {};
      const members = isJsonObject(body) ? membersOf(body, own) : body;
      if (Object.keys(change).length > 0)
        await own.ask({ method: "PATCH", path: `${pathOf(id)}/draft`, body: change });
      await own.ask({ method: "PATCH", path: pathOf(id), body: members });
      return answerOf(id);
    },
  },
  {
    method: "DELETE",
    path: "/templates/:id",
    async handle({ params }, own) {
      const { id } = await find(params["id"], own);
      await own.ask({ method: "DELETE", path: pathOf(id) });
      return { ...answerOf(id), deleted: true };
    },
  },
  {
    method: "POST",
    path: "/templates/:id/publish",
    async handle({ params }, own) {
      const template = await find(params["id"], own);
      // Resend also answers with success if the template is published already. So a template
      // without a draft is not published again.
      const isPublished = template.published_at !== null && !template.has_draft;
      if (!isPublished) await own.ask({ method: "POST", path: `${pathOf(template.id)}/publish` });
      return answerOf(template.id);
    },
  },
  {
    method: "POST",
    path: "/templates/:id/duplicate",
    status: 201,
    async handle({ params }, own) {
      const path = `${pathOf(params["id"])}/duplicate`;
      const { id } = await own.ask<Template>({ method: "POST", path });
      return answerOf(id);
    },
  },
];

/** Returns the path of the template with this id or alias. */
function pathOf(idOrAlias: string | undefined): string {
  return `${PATH}/${idSegment("template", idOrAlias)}`;
}

function find(idOrAlias: string | undefined, own: OwnApi): Promise<Template> {
  return own.ask({ method: "GET", path: pathOf(idOrAlias) });
}

/**
 * Returns the members of a request that are not part of the template's content. Ignores `text`,
 * because the service derives it.
 */
function membersOf(body: JsonObject, own: OwnApi): JsonObject {
  ignoreOthers(body, TEMPLATE_MEMBERS, own.ignore);
  return Object.fromEntries(
    SETTINGS.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]),
  );
}

function answerOf(id: string): JsonObject {
  return { object: "template", id: bareId(id) };
}
