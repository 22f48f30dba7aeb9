// Ctrl+S or ⌘S saves, instead of asking to store the page as a file.
import { useEffect } from "react";
import { isKey } from "../parts/key-table.ts";

/** Calls `save` when the key is pressed. Null while nothing can be saved. */
export function useSaveKey(save: (() => void) | null): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!isKey(event.key, "save") || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      save?.();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [save]);
}
