// Ctrl+S or ⌘S saves the edited content, instead of opening the browser's dialog.
import { useEffect } from "react";
import { isKey } from "../parts/key-table.ts";

/** Calls `save` on Ctrl+S or ⌘S. Null: nothing needs to be saved. */
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
