// Shows two texts of one template: the stored text, which another person or tab has changed, and
// the edited text. The person takes one of them, or merges both by word.
import { ChangedMeanwhile } from "../../../api/guarded-change.ts";
import { Button } from "../../../parts/button.tsx";
import { ConflictButtons } from "../../../parts/conflict-buttons.tsx";
import { DifferencesInline } from "./differences.tsx";
import { mergeWords } from "./merge-words.ts";
import type { TemplateContent } from "../edited-content.ts";
import type { Edited } from "../use-edited.ts";

interface TemplateConflictProps {
  readonly edited: Edited;
  readonly theirs: TemplateContent;
  /** Replaces the stored text by the edited text. */
  readonly onMine: () => void;
  readonly onTheirs: () => void;
  /** Puts both changes into the editor, so that the person can check them before saving. */
  readonly onMerged: (merged: TemplateContent) => void;
}

/**
 * Returns the stored content if a change failed because the content differs. Otherwise returns
 * null.
 */
export function theirsIn(error: Error | null): TemplateContent | null {
  return error instanceof ChangedMeanwhile ? (error.current as TemplateContent) : null;
}

export function TemplateConflict(props: TemplateConflictProps) {
  const { edited, theirs, onMine, onTheirs, onMerged } = props;
  const { merged, clashes } = mergeContent(edited, theirs);
  return (
    <div className="problem" role="alert">
      <p>
        This template was changed in the meantime, in another tab or by another person. Nothing was
        saved, and your text is still in the editor. Saving your text would change these lines:
      </p>
      <DifferencesInline published={theirs} edited={edited.content} />
      <ConflictButtons onMine={onMine} onTheirs={onTheirs}>
        <Button className="btn small main" onClick={() => onMerged(merged)}>
          Merge both
        </Button>
      </ConflictButtons>
      <p className="muted">
        {clashes === 0
          ? "The merged text has all changes of both texts."
          : `Both texts changed the same words in ${clashes === 1 ? "one place" : `${clashes} places`}. There, the merged text has your words.`}
      </p>
    </div>
  );
}

function mergeContent({ content, base }: Edited, theirs: TemplateContent) {
  const subject = mergeWords(base.subject, content.subject, theirs.subject);
  const source = mergeWords(base.source, content.source, theirs.source);
  return {
    merged: { subject: subject.text, source: source.text },
    clashes: subject.clashes + source.clashes,
  };
}
