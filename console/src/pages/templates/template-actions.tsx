// The actions of an open template: save, publish, and a menu of the rarer ones.
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Template } from "../../../../packages/postern/src/generated/types.ts";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { DiscardDialog, hasDraftToDiscard, PublishDialog } from "./action-dialogs.tsx";
import { DeleteTemplate } from "./delete-template.tsx";
import { DuplicateButton } from "./duplicate-button.tsx";
import {
  type TemplateContent,
  useIsPublishing,
  usePublish,
  useSaveDraft,
} from "./template-calls.ts";
import { useSaveKey } from "../../shell/use-save-key.ts";

interface TemplateActsProps {
  readonly template: Template;
  readonly content: TemplateContent;
  readonly isChanged: boolean;
  /** Called when the editor has to return to the saved content. */
  readonly onDiscarded: () => void;
}

type Asked = "publish" | "discard" | "delete" | null;

interface ActDialogProps {
  readonly template: Template;
  readonly asked: Asked;
  readonly content: TemplateContent;
  readonly isChanged: boolean;
  readonly publish: { readonly isPending: boolean; readonly error: Error | null };
  readonly onPublish: () => void;
  readonly onDiscarded: () => void;
  readonly onClose: () => void;
}

export function TemplateActions({ template, content, isChanged, onDiscarded }: TemplateActsProps) {
  const { id } = template;
  const [asked, setAsked] = useState<Asked>(null);
  const save = useSaveDraft(template);
  const publish = usePublish(template);
  const isPublishing = useIsPublishing(id);
  useSaveKey(isChanged && !save.isPending ? () => save.mutate(content) : null);
  return (
    <>
      <div className="buttons">
        <button
          type="button"
          className="btn"
          aria-keyshortcuts="Control+S Meta+S"
          title="Ctrl+S"
          disabled={!isChanged || save.isPending}
          onClick={() => save.mutate(content)}
        >
          Save draft
        </button>
        <button
          type="button"
          className="btn main"
          disabled={(!isChanged && !template.has_draft) || isPublishing}
          onClick={() => {
            publish.reset();
            setAsked("publish");
          }}
        >
          {isPublishing ? "Publishing…" : "Publish"}
        </button>
        {(isChanged || hasDraftToDiscard(template)) && (
          <button
            type="button"
            className="btn"
            disabled={isPublishing}
            onClick={() => setAsked("discard")}
          >
            Discard {hasDraftToDiscard(template) ? "draft" : "changes"}
          </button>
        )}
        <DuplicateButton id={id} />
        <button
          type="button"
          className="btn danger"
          disabled={isPublishing}
          onClick={() => setAsked("delete")}
        >
          Delete
        </button>
      </div>
      {save.error && <ErrorNotice error={save.error} />}
      <ActDialog
        {...{ template, asked, content, isChanged, publish, onDiscarded }}
        onClose={() => setAsked(null)}
        onPublish={() =>
          publish.mutate(isChanged ? content : null, { onSuccess: () => setAsked(null) })
        }
      />
    </>
  );
}

function ActDialog(props: ActDialogProps) {
  const { template, asked, content, isChanged, publish, onPublish, onDiscarded, onClose } = props;
  const navigate = useNavigate();
  switch (asked) {
    case "publish":
      return (
        <PublishDialog
          {...{ template, content, isChanged, onClose }}
          isBusy={publish.isPending}
          error={publish.error}
          onConfirm={onPublish}
        />
      );
    case "discard":
      return <DiscardDialog {...{ template, onDiscarded, onClose }} />;
    case "delete":
      return (
        <DeleteTemplate
          {...{ template, onClose }}
          onDeleted={() => void navigate({ to: "/templates", ignoreBlocker: true })}
        />
      );
    case null:
      return null;
  }
}
