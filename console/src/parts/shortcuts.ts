// Handles the shortcuts that work on every page. They have no effect while a person types.
import { useEffect } from "react";
import { isKey, SECTION_KEY } from "./key-table.ts";

/** The second key of a shortcut such as `g d` must follow the first key within this time. */
const SEQUENCE_MS = 1_000;

/** Tells whether the event comes from a text field, even from a field in a shadow tree. */
export function isTyping(event: Pick<KeyboardEvent, "composedPath">): boolean {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

export function useShortcuts(
  go: (letter: string) => boolean,
  search: () => void,
  help: () => void,
  undo: () => void,
): void {
  useEffect(() => {
    let since = Number.NEGATIVE_INFINITY;
    const acts = [
      ["search", search],
      ["help", help],
      ["undo", undo],
    ] as const;
    const onKey = (event: KeyboardEvent): void => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event)) return;
      const isSecond = event.timeStamp - since < SEQUENCE_MS;
      const isFirst = event.key === SECTION_KEY && !isSecond;
      since = isFirst ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const isPage = isSecond && go(event.key);
      const act = isPage ? undefined : acts.find(([name]) => isKey(event.key, name))?.[1];
      if (!isPage && !act) return;
      event.preventDefault();
      act?.();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [go, search, help, undo]);
}
