// The questions before a template's draft is published or discarded.
import type { Template } from "../../../../packages/postern/src/generated/types.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { useDiscardDraft } from "./template-calls.ts";

interface PublishDialogProps {
  readonly template: Template;
  readonly isChanged: boolean;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function PublishDialog({ template, isChanged, ...dialog }: PublishDialogProps) {
  return (
    <ConfirmDialog
      {...dialog}
      title={`Publish ${template.name}?`}
      action={isChanged ? "Save and publish" : "Publish"}
      keep="Not yet"
      isSafe
    >
      {template.published_at === null
        ? "Sends with this template can begin at once."
        : "Every send with this template uses the new content from now on. The published content of today is replaced for good."}
    </ConfirmDialog>
  );
}

/** A template that was never published would be empty without its draft. */
export function hasDraftToDiscard(template: Template): boolean {
  return template.has_draft && template.published_at !== null;
}

interface DiscardDialogProps {
  readonly template: Template;
  /** Called when the saved content shall stand in the editor again. */
  readonly onDiscarded: () => void;
  readonly onClose: () => void;
}

export function DiscardDialog({ template, onDiscarded, onClose }: DiscardDialogProps) {
  const { mutate, error, isPending } = useDiscardDraft(template.id);
  const hasDraft = hasDraftToDiscard(template);
  const done = (): void => {
    onClose();
    onDiscarded();
  };
  return (
    <ConfirmDialog
      title={`Discard what you changed in ${template.name}?`}
      action="Discard"
      error={error}
      isBusy={isPending}
      onConfirm={() => {
        if (hasDraft) mutate(undefined, { onSuccess: done });
        else done();
      }}
      onClose={onClose}
    >
      {hasDraft
        ? "The draft is deleted, and the editor shows the published content."
        : "The editor shows the saved content again."}
    </ConfirmDialog>
  );
}
