// Ctrl+S or ⌘S saves, instead of asking to store the page as a file.
import { useEffect } from "react";

/** Calls `save` at the key; null: there is nothing to save. */
export function useSaveKey(save: (() => void) | null): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      save?.();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [save]);
}
