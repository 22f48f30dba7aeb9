// Shows two texts of one template when another change came between: the stored one and the edited
// one. The person takes either, or merges both by word.
import { ChangedMeanwhile } from "../../../api/guarded-change.ts";
import { ConflictButtons } from "../../../parts/conflict-buttons.tsx";
import { DifferencesInline } from "./differences.tsx";
import { mergeWords } from "./merge-words.ts";
import type { TemplateContent } from "../edited-content.ts";
import type { Edited } from "../use-edited.ts";

interface TemplateConflictProps {
  readonly edited: Edited;
  readonly theirs: TemplateContent;
  /** Saves the edited text over the stored one. */
  readonly onMine: () => void;
  readonly onTheirs: () => void;
  /** Puts both changes into the editor, where the person looks at them before saving. */
  readonly onMerged: (merged: TemplateContent) => void;
}

/** Returns the stored content if that is why a change failed. */
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
        saved, and your text is still in the editor. These lines would change if you save yours:
      </p>
      <DifferencesInline published={theirs} edited={edited.content} />
      <ConflictButtons onMine={onMine} onTheirs={onTheirs}>
        <button type="button" className="btn small main" onClick={() => onMerged(merged)}>
          Merge both
        </button>
      </ConflictButtons>
      <p className="muted">
        {clashes === 0
          ? "A merge has all changes of both texts."
          : `Both texts changed the same words in ${clashes === 1 ? "one place" : `${clashes} places`}: there, a merge has yours.`}
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
