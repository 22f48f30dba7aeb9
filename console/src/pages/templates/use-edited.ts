// The edited content of a template, and the saved content with which the person began. The tab's
// storage keeps unsaved text, so that a reload or an expired session does not lose it.
import { useEffect, useState } from "react";
import { isSameContent, type TemplateContent } from "./edited-content.ts";

export interface Edited {
  readonly content: TemplateContent;
  /** The saved content that the person has seen. */
  readonly base: TemplateContent;
}

/**
 * Returns the edited content, and functions that change it. `saved` is the content that is stored
 * now. The base is the content that was stored when the person began to edit.
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
    /** Continues editing from the content that is stored now. */
    rebase: setEdited,
    discard: (): void => setEdited(null),
    /** Keeps the text that the person typed while `content` was being saved. */
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
