// The API calls of the pages about templates.
import { queryOptions, useMutation } from "@tanstack/react-query";
import type {
  Template,
  TemplateDraft,
  TemplatePreview,
} from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { queryClient } from "../../api/query-client.ts";
import { changes, useIsChanging } from "../../parts/undo/undo.ts";

export type TemplateKind = Template["kind"];

/** The editable parts of a template. The service derives the plain text. */
export interface TemplateContent {
  readonly subject: string;
  readonly source: string;
}

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
export function contentOf(kind: TemplateKind, from: Template | TemplateDraft): TemplateContent {
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

/**
 * Saves a draft. First sends a pending publication of the previous draft. If that request came
 * later, it would publish the new draft instead.
 */
export function useSaveDraft({ id, kind }: Template) {
  return useMutation({
    mutationFn: async (content: TemplateContent) => {
      await changes.flush(publishName(id));
      return api.templates.updateDraft(id, bodyOf(kind, content));
    },
    onSuccess: () => refreshTemplates(id),
  });
}

/**
 * Saves the given content, and publishes the draft when the time to undo is over. Until then, sends
 * use the previously published version. After an undo, the draft stays.
 */
export function usePublish({ id, kind, name }: Template) {
  return useMutation({
    mutationFn: async (content: TemplateContent | null) => {
      if (content !== null) {
        await api.templates.updateDraft(id, bodyOf(kind, content));
        await refreshTemplates(id);
      }
      changes.add({
        name: publishName(id),
        title: `${name} will be published`,
        done: `${name} is published.`,
        failed: `${name} was not published. Its draft is saved.`,
        now: "Publish now",
        send: async () => {
          try {
            await api.templates.publish(id);
          } finally {
            await refreshTemplates(id);
          }
        },
      });
    },
  });
}

/** True while a publication is pending, until it is done or undone. */
export function useIsPublishing(id: string): boolean {
  return useIsChanging(publishName(id));
}

function publishName(id: string): string {
  return `publish ${id}`;
}

export function useDiscardDraft(id: string) {
  return useMutation({
    mutationFn: () => api.templates.deleteDraft(id),
    onSuccess: () => refreshTemplates(id),
  });
}

export function useDuplicate() {
  return useMutation({
    mutationFn: (id: string) => api.templates.duplicate(id),
    onSuccess: () => refreshTemplates(),
  });
}

export function useDeleteTemplate() {
  return useMutation({
    mutationFn: (id: string) => api.templates.delete(id),
    onSuccess: () => refreshTemplates(),
  });
}

export function useRename(id: string) {
  return useMutation({
    mutationFn: (name: string) => api.templates.update(id, { name }),
    onSuccess: () => refreshTemplates(id),
  });
}
