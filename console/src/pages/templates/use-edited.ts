// The edited content of a template, and the saved content from which the person began. Unsaved text
// is kept in the tab's storage, so that a reload or an expired session loses none.
import { useEffect, useState } from "react";
import { isSameContent, type TemplateContent } from "./edited-content.ts";

export interface Edited {
  readonly content: TemplateContent;
  /** The saved content that the person has seen. */
  readonly base: TemplateContent;
}

/**
 * Returns the edited content, and functions that change it. `saved` is the content as it is stored
 * now; the base stays what it was when the person began to edit.
 */
export function useEdited(id: string, saved: TemplateContent) {
  const name = `unsaved ${id}`;
  const [edited, setEdited] = useState<Edited | null>(() => readStored(name));
  useEffect(() => {
    if (edited === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(edited));
  }, [name, edited]);
  const base = edited?.base ?? saved;
  return {
    content: edited?.content ?? saved,
    base,
    edit: (content: TemplateContent): void => setEdited({ content, base }),
    /** Goes on editing from what is stored now. */
    rebase: setEdited,
    discard: (): void => setEdited(null),
    /** Keeps what the person typed while `content` was being saved. */
    markSaved: (stored: TemplateContent): void =>
      setEdited((now) =>
        now === null || isSameContent(now.content, stored) ? null : { ...now, base: stored },
      ),
  };
}

function readStored(name: string): Edited | null {
  const text = sessionStorage.getItem(name);
  return text === null ? null : (JSON.parse(text) as Edited);
}
