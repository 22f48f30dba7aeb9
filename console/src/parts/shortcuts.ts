// Keyboard shortcuts: `/` for the field, `g` and a letter for a page. They rest while a person
// types.
import { useEffect } from "react";

/** Time in which the letter has to follow the `g`. */
const SEQUENCE_MS = 1_000;

/** Tells whether the event's keys belong to what a person types, also in a shadow tree. */
export function isTyping(event: Pick<KeyboardEvent, "composedPath">): boolean {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** Calls `go` with the letter after `g`, and `search` for `/`. */
export function useShortcuts(go: (letter: string) => boolean, search: () => void): void {
  useEffect(() => {
    let since = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent): void => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event)) return;
      const isSecond = event.timeStamp - since < SEQUENCE_MS;
      since = event.key === "g" && !isSecond ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const isOurs = event.key === "/" || (isSecond && go(event.key));
      if (!isOurs) return;
      event.preventDefault();
      if (event.key === "/") search();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [go, search]);
}
