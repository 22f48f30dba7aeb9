// Ctrl+S or ⌘S saves the edited content, instead of opening the browser's dialog.
import { useEffect } from "react";
import { isKey } from "../parts/key-table.ts";

/** Calls `save` when the key is pressed. Null: there is nothing to save. */
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
