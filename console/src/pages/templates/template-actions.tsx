// The actions of an open template: save, publish, test, and a menu of less frequent actions.
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Template } from "../../../../packages/postern/src/generated/types.ts";
import { Button, MainButton } from "../../parts/button.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { MoreMenu } from "../../parts/more-menu.tsx";
import { Permitted, useMay } from "../../parts/permitted.tsx";
import { DiscardDialog, hasDraftToDiscard, PublishDialog } from "./action-dialogs.tsx";
import { DeleteTemplate } from "./delete-template.tsx";
import { useCopy } from "./duplicate-button.tsx";
import { refreshTemplates, useIsPublishing, usePublish, useSaveDraft } from "./template-calls.ts";
import { TemplateConflict, theirsIn } from "./diff/template-conflict.tsx";
import type { TemplateContent } from "./edited-content.ts";
import type { Edited } from "./use-edited.ts";
import { useSaveKey } from "../../shell/use-save-key.ts";

interface TemplateActsProps {
  readonly template: Template;
  readonly edited: Edited;
  readonly isChanged: boolean;
  /** Is called when the editor must return to the saved content. */
  readonly onDiscarded: () => void;
  /** Is called when this content was saved. */
  readonly onSaved: (content: TemplateContent) => void;
  /** Continues editing with another saved content as the base. */
  readonly onRebased: (edited: Edited) => void;
  /** True: the form that sends a test is shown. */
  readonly isTesting: boolean;
  /** Shows or hides the form that sends a test. */
  readonly onTest: () => void;
}

type Asked = "publish" | "discard" | "delete" | null;

const SAVE = "PATCH /v1/templates/{id}/draft";

interface ActDialogProps extends Pick<
  TemplateActsProps,
  "template" | "edited" | "isChanged" | "onDiscarded"
> {
  readonly asked: Asked;
  readonly publish: ReturnType<typeof usePublish>;
  readonly onPublish: () => void;
  readonly onClose: () => void;
}

export function TemplateActions(props: TemplateActsProps) {
  const { template, edited, isChanged, onSaved } = props;
  const [asked, setAsked] = useState<Asked>(null);
  const save = useSaveDraft(template);
  const publish = usePublish(template);
  const saveEdited = (from: Edited): void =>
    save.mutate(from, { onSuccess: () => onSaved(from.content) });
  const maySave = useMay(SAVE);
  const mayBeSaved = maySave && isChanged && !save.isPending;
  useSaveKey(mayBeSaved ? () => saveEdited(edited) : null);
  return (
    <>
      <ActButtons
        {...props}
        save={mayBeSaved ? () => saveEdited(edited) : undefined}
        ask={(what) => {
          publish.reset();
          setAsked(what);
        }}
      />
      <SaveFailure
        {...props}
        error={save.error ?? (theirsIn(publish.error) ? publish.error : null)}
        reset={() => {
          save.reset();
          publish.reset();
        }}
        saveEdited={saveEdited}
      />
      <ActDialog
        {...props}
        asked={asked}
        publish={publish}
        onClose={() => setAsked(null)}
        onPublish={() =>
          publish.mutate(edited, {
            onSuccess: () => {
              setAsked(null);
              onSaved(edited.content);
            },
            onError: (error) => {
              if (theirsIn(error)) setAsked(null);
            },
          })
        }
      />
    </>
  );
}

interface ActButtonsProps extends Pick<
  TemplateActsProps,
  "template" | "isChanged" | "isTesting" | "onTest"
> {
  /** Undefined: nothing needs to be saved. */
  readonly save: (() => void) | undefined;
  readonly ask: (what: Asked) => void;
}

function ActButtons(props: ActButtonsProps) {
  const { template, isChanged, isTesting, save, ask, onTest } = props;
  const isPublishing = useIsPublishing(template.id);
  const copy = useCopy(template.id);
  return (
    <div className="buttons">
      <Permitted operation={SAVE} act="save this template">
        <Button
          aria-keyshortcuts="Control+S Meta+S"
          title="Ctrl+S"
          disabled={save === undefined}
          onClick={save}
        >
          Save draft
        </Button>
      </Permitted>
      <Permitted operation="POST /v1/templates/{id}/publish">
        <MainButton
          disabled={(!isChanged && !template.has_draft) || isPublishing}
          onClick={() => ask("publish")}
        >
          {isPublishing ? "Publishing…" : "Publish"}
        </MainButton>
      </Permitted>
      <Permitted operation="POST /v1/email">
        <Button aria-expanded={isTesting} onClick={onTest}>
          Send a test
        </Button>
      </Permitted>
      <RarerActions {...props} isPublishing={isPublishing} copy={copy} />
      {copy.error && <ErrorNotice error={copy.error} />}
    </div>
  );
}

interface RarerActionsProps extends Pick<ActButtonsProps, "template" | "isChanged" | "ask"> {
  readonly isPublishing: boolean;
  readonly copy: ReturnType<typeof useCopy>;
}

function RarerActions({ template, isChanged, ask, isPublishing, copy }: RarerActionsProps) {
  const mayDiscard = useMay("DELETE /v1/templates/{id}/draft") && hasDraftToDiscard(template);
  const mayCopy = useMay("POST /v1/templates/{id}/duplicate");
  const mayDelete = useMay("DELETE /v1/templates/{id}");
  if (!isChanged && !mayDiscard && !mayCopy && !mayDelete) return null;
  return (
    <MoreMenu label="More actions">
      {(isChanged || mayDiscard) && (
        <button type="button" disabled={isPublishing} onClick={() => ask("discard")}>
          Discard {mayDiscard ? "draft" : "changes"}
        </button>
      )}
      {mayCopy && (
        <button type="button" disabled={copy.isPending} onClick={copy.open}>
          Duplicate
        </button>
      )}
      {mayDelete && (
        <button type="button" className="bad" disabled={isPublishing} onClick={() => ask("delete")}>
          Delete
        </button>
      )}
    </MoreMenu>
  );
}

interface SaveFailureProps extends TemplateActsProps {
  /** The failure of a save or a publication. */
  readonly error: Error | null;
  readonly reset: () => void;
  readonly saveEdited: (from: Edited) => void;
}

function SaveFailure(props: SaveFailureProps) {
  const { template, edited, error, reset, saveEdited, onDiscarded, onRebased } = props;
  const theirs = theirsIn(error);
  if (!theirs) return error && <ErrorNotice error={error} />;
  return (
    <TemplateConflict
      edited={edited}
      theirs={theirs}
      onMine={() => {
        reset();
        saveEdited({ content: edited.content, base: theirs });
      }}
      onTheirs={() => {
        reset();
        onDiscarded();
        void refreshTemplates(template.id);
      }}
      onMerged={(merged) => {
        reset();
        onRebased({ content: merged, base: theirs });
      }}
    />
  );
}

function ActDialog(props: ActDialogProps) {
  const { template, asked, edited, isChanged, publish, onPublish, onDiscarded, onClose } = props;
  const navigate = useNavigate();
  switch (asked) {
    case "publish":
      return (
        <PublishDialog
          {...{ template, content: edited.content, isChanged, onClose }}
          request={publish}
          onConfirm={onPublish}
        />
      );
    case "discard":
      return <DiscardDialog {...{ template, base: edited.base, onDiscarded, onClose }} />;
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
