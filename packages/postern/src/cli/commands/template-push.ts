// Pushes a folder of templates: creates the new templates, and updates the drafts and aliases that
// differ.
import { isDeepStrictEqual } from "node:util";
import type { Postern } from "../../client/postern.ts";
import type { Template } from "../../generated/types.ts";
import { firstOf } from "../request-actions.ts";
import { type LocalTemplate, readTemplate, templateFolders } from "./template-folder.ts";

type Plan = Awaited<ReturnType<typeof planOf>>;

export async function pushTemplates(
  client: Postern,
  root: string,
  { isPublished, isTried }: { readonly isPublished: boolean; readonly isTried: boolean },
) {
  const locals = templateFolders(root).map(readTemplate);
  const known = await firstOf(client.templates.list({ limit: 100 }), Infinity);
  const plans: Plan[] = [];
  for (const local of locals) plans.push(await planOf(client, local, known));
  if (!isTried) await freeAliases(client, plans);
  const pushed = [];
  for (const plan of plans) {
    const { local, template, isContentNew, isAliasNew } = plan;
    const change = !template ? "created" : isContentNew || isAliasNew ? "changed" : "unchanged";
    const published = isPublished && (isContentNew || template?.has_draft === true);
    pushed.push({ name: local.name, change, published });
    if (isTried) continue;
    const id = await store(client, plan);
    if (published) await client.templates.publish(id);
  }
  return pushed;
}

/**
 * Returns the draft of a template, or else its published content, in the form that a subfolder has.
 */
export async function remoteTemplate(client: Postern, listed: Template): Promise<LocalTemplate> {
  const { id, name, alias, kind } = listed;
  const {
    subject,
    html,
    markdown,
    from,
    reply_to: replyTo,
    fallbacks,
  } = listed.has_draft ? await client.templates.getDraft(id) : await client.templates.get(id);
  const content = (kind === "html" ? html : markdown) ?? "";
  return { name, alias, kind, subject, from, reply_to: replyTo, fallbacks, content };
}

async function planOf(client: Postern, local: LocalTemplate, known: readonly Template[]) {
  /** Undefined: the deployment has no template of this name. */
  const template = known.find(({ name }) => name === local.name);
  if (!template) return { local, template, isContentNew: true, isAliasNew: false };
  const { alias, ...remote } = await remoteTemplate(client, template);
  const { alias: wanted, ...content } = local;
  return {
    local,
    template,
    isContentNew: !isDeepStrictEqual(remote, content),
    isAliasNew: wanted !== undefined && wanted !== alias,
  };
}

/** Removes an alias from its template if another template of the folder gets it. */
async function freeAliases(client: Postern, plans: readonly Plan[]): Promise<void> {
  const wanted = new Set(plans.map(({ local }) => local.alias));
  for (const { template, isAliasNew } of plans)
    if (template && isAliasNew && wanted.has(template.alias))
      await client.templates.update(template.id, { alias: null });
}

async function store(client: Postern, plan: Plan): Promise<string> {
  const { kind, content, name, alias, ...rest } = plan.local;
  const { template } = plan;
  if (!template) {
    const created = { ...rest, name, kind, [kind]: content, ...(alias !== undefined && { alias }) };
    return (await client.templates.create(created)).id;
  }
  if (plan.isContentNew)
    await client.templates.updateDraft(template.id, { ...rest, [kind]: content });
  if (plan.isAliasNew) await client.templates.update(template.id, { alias: alias ?? null });
  return template.id;
}
