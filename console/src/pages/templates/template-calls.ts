// The API calls of the pages about templates.
import { queryOptions, useMutation } from "@tanstack/react-query";
import type {
  Template,
  TemplateDraft,
  TemplatePreview,
} from "../../../../packages/postern/src/generated/types.ts";
import type {
  ChangeOptions,
  RequestOptions,
} from "../../../../packages/postern/src/request/api-call.ts";
import { api } from "../../api/api-client.ts";
import { changeGuarded } from "../../api/guarded-change.ts";
import { queryClient } from "../../api/query-client.ts";
import { changes, useIsChanging } from "../../parts/undo/undo.ts";
import { isSameContent, type TemplateContent } from "./edited-content.ts";
import type { Edited } from "./use-edited.ts";

export type TemplateKind = Template["kind"];

/**
 * A template with its draft, and samples of the edited content's variables. `draft` is null if the
 * template has none.
 */
export interface OpenTemplate {
  readonly template: Template;
  readonly draft: TemplateDraft | null;
  readonly samples: TemplatePreview["samples"];
}

export const TEMPLATE_LIST = ["templates"] as const;

export const templateQuery = (id: string) =>
  queryOptions({
    queryKey: ["template", id] as const,
    queryFn: async (): Promise<OpenTemplate> => {
      const template = await api.templates.get(id);
      const draft = template.has_draft ? await api.templates.getDraft(id) : null;
      return { template, draft, samples: await samplesOf(template.kind, draft ?? template) };
    },
  });

async function samplesOf(kind: TemplateKind, from: Template | TemplateDraft) {
  const content = contentOf(kind, from);
  if (content.source === "") return {};
  return (await api.templates.preview({ kind, ...bodyOf(kind, content) })).samples;
}

/** Returns the content of a draft or of a published version. */
export function contentOf(
  kind: TemplateKind,
  from: Pick<TemplateDraft, "subject" | TemplateKind>,
): TemplateContent {
  return { subject: from.subject ?? "", source: from[kind] ?? "" };
}

/** Returns the content as the API takes it. An empty part is null. */
export function bodyOf(kind: TemplateKind, { subject, source }: TemplateContent) {
  const part = source === "" ? null : source;
  return {
    subject: subject === "" ? null : subject,
    ...(kind === "html" ? { html: part } : { markdown: part }),
  };
}

/** Drops cached templates after a change. */
export async function refreshTemplates(id?: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: TEMPLATE_LIST }),
    id === undefined ? undefined : queryClient.invalidateQueries({ queryKey: ["template", id] }),
  ]);
}

/** Reads the content that a change of the draft will replace, with its ETag. */
async function readContent(
  { id, kind }: Pick<Template, "id" | "kind">,
  options: RequestOptions,
): Promise<TemplateContent> {
  const template = await api.templates.get(id, options);
  return contentOf(kind, template.has_draft ? await api.templates.getDraft(id, options) : template);
}

/**
 * Changes the draft. Throws a ChangedMeanwhile if its content differs from `base`. Stored content
 * that equals `content` is accepted too: an earlier request has saved it, and only its answer was
 * lost.
 */
function changeDraft<Result>(
  template: Pick<Template, "id" | "kind">,
  { content, base }: Edited,
  write: (options: ChangeOptions) => Promise<Result>,
): Promise<Result> {
  return changeGuarded({
    read: (options) => readContent(template, options),
    isSeen: (current) => isSameContent(current, base) || isSameContent(current, content),
    write,
  });
}

/**
 * Saves a draft. First sends a pending publication of the previous draft. A publication that came
 * later would publish the new draft instead.
 */
export function useSaveDraft(template: Template) {
  const { id, kind } = template;
  return useMutation({
    mutationFn: async (edited: Edited) => {
      await changes.flush(publishName(id));
      return changeDraft(template, edited, (options) =>
        api.templates.updateDraft(id, bodyOf(kind, edited.content), options),
      );
    },
    onSuccess: () => refreshTemplates(id),
  });
}

/**
 * Saves the edited content. Publishes the draft when the time to undo is over. Until then, sends
 * use the previously published version. After an undo, the draft remains.
 */
export function usePublish(template: Template) {
  const { id, kind, name } = template;
  return useMutation({
    mutationFn: async (edited: Edited) => {
      const { content, base } = edited;
      let ifMatch = "*";
      await changeDraft(template, edited, async (options) => {
        ifMatch = options.ifMatch ?? ifMatch;
        if (isSameContent(content, base)) return;
        const onResponse = ({ headers }: Response): void => {
          ifMatch = headers.get("ETag") ?? ifMatch;
        };
        await api.templates.updateDraft(id, bodyOf(kind, content), { ...options, onResponse });
        await refreshTemplates(id);
      });
      changes.add({
        name: publishName(id),
        title: `${name} will be published`,
        done: `${name} is published.`,
        failed: `${name} was not published. Its draft is saved.`,
        now: "Publish now",
        send: async () => {
          try {
            await api.templates.publish(id, { ifMatch });
          } finally {
            await refreshTemplates(id);
          }
        },
      });
    },
  });
}

/** Tells whether a publication is pending or under way. */
export function useIsPublishing(id: string): boolean {
  return useIsChanging(publishName(id));
}

function publishName(id: string): string {
  return `publish ${id}`;
}

export function useDiscardDraft(template: Template) {
  const { id } = template;
  return useMutation({
    mutationFn: (base: TemplateContent) =>
      changeDraft(template, { content: base, base }, (options) =>
        api.templates.deleteDraft(id, options),
      ),
    onSuccess: () => refreshTemplates(id),
  });
}

export function useDuplicate() {
  return useMutation({
    mutationFn: (id: string) => api.templates.duplicate(id),
    onSuccess: () => refreshTemplates(),
  });
}

/** Deletes the template. Fails if the template has changed since the person saw it. */
export function useDeleteTemplate({ id, updated_at: seen }: Pick<Template, "id" | "updated_at">) {
  return useMutation({
    mutationFn: () =>
      changeGuarded({
        read: (options) => api.templates.get(id, options),
        isSeen: (current) => current.updated_at === seen,
        write: (options) => api.templates.delete(id, options),
      }),
    onSettled: () => refreshTemplates(),
  });
}

export function useRename({ id, name: seen }: Pick<Template, "id" | "name">) {
  return useMutation({
    mutationFn: (name: string) =>
      changeGuarded({
        read: (options) => api.templates.get(id, options),
        isSeen: (current) => current.name === seen,
        write: (options) => api.templates.update(id, { name }, options),
      }),
    onSuccess: () => refreshTemplates(id),
  });
}
