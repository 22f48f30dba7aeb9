// The confirmations before a template's draft is published or discarded.
import type { Template } from "../../../../packages/postern/src/generated/types.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { DifferencesInline } from "./diff/differences.tsx";
import { contentOf, useDiscardDraft } from "./template-calls.ts";
import type { TemplateContent } from "./edited-content.ts";

interface PublishDialogProps {
  readonly template: Template;
  /** The content to publish. */
  readonly content: TemplateContent;
  readonly isChanged: boolean;
  readonly request: { readonly error: Error | null; readonly isPending: boolean };
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function PublishDialog({ template, content, isChanged, ...dialog }: PublishDialogProps) {
  const isFirst = template.published_at === null;
  return (
    <ConfirmDialog
      {...dialog}
      title={`Publish ${template.name}?`}
      action={isChanged ? "Save and publish" : "Publish"}
      isSafe
    >
      <p>
        {isFirst
          ? "Messages can then be sent with this template."
          : "All new messages with this template will use this content. Messages already accepted, including scheduled ones, do not change."}{" "}
        You can undo this for 10 seconds.
      </p>
      {!isFirst && (
        <DifferencesInline published={contentOf(template.kind, template)} edited={content} />
      )}
    </ConfirmDialog>
  );
}

/**
 * Tells whether the draft can be discarded. A template that was never published would be empty
 * without its draft.
 */
export function hasDraftToDiscard(template: Template): boolean {
  return template.has_draft && template.published_at !== null;
}

interface DiscardDialogProps {
  readonly template: Template;
  /** The saved content that the person has seen. */
  readonly base: TemplateContent;
  /** Is called when the editor must return to the saved content. */
  readonly onDiscarded: () => void;
  readonly onClose: () => void;
}

export function DiscardDialog({ template, base, onDiscarded, onClose }: DiscardDialogProps) {
  const discard = useDiscardDraft(template);
  const hasDraft = hasDraftToDiscard(template);
  const done = (): void => {
    onClose();
    onDiscarded();
  };
  return (
    <ConfirmDialog
      title={hasDraft ? `Discard the draft of ${template.name}?` : "Discard your changes?"}
      action={hasDraft ? "Discard draft" : "Discard changes"}
      request={discard}
      onConfirm={() => {
        if (hasDraft) discard.mutate(base, { onSuccess: done });
        else done();
      }}
      onClose={onClose}
    >
      {hasDraft
        ? "The draft is deleted. The editor shows the published version."
        : "The editor shows the last saved version."}
    </ConfirmDialog>
  );
}
