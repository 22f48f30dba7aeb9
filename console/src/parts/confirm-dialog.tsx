// Asks before something is destroyed or takes effect, naming it. The browser's own dialog keeps the
// focus inside.
import { type ReactNode, useEffect, useRef, useState } from "react";
import { ErrorNote } from "./error-note.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** The verb, such as "Delete key". */
  readonly action: string;
  /** A name to type before the act, where it can't be undone and destroys much. */
  readonly mustType?: string;
  /** The button that changes nothing, where "Cancel" would be read as the act. */
  readonly dismiss?: string;
  /** True: nothing is destroyed. */
  readonly isSafe?: boolean;
  readonly isBusy?: boolean;
  /** The failure of the act. */
  readonly error?: Error | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, mustType, dismiss = "Cancel", isSafe = false } = props;
  const { isBusy = false, error = null, onConfirm, onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  // A dialog that is closed, and not only removed, gives the focus back.
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={onClose}
      // The page below keeps still: Esc closes the dialog, and not what is open behind it.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <h2>{title}</h2>
      <div>
        {children}
        {error && <ErrorNote error={error} />}
      </div>
      {mustType !== undefined && (
        <label className="field">
          <span>
            Type <code>{mustType}</code> to confirm
          </span>
          <input
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        </label>
      )}
      <div className="buttons">
        <button type="button" className="btn" onClick={() => dialog.current?.close()}>
          {dismiss}
        </button>
        <button
          type="button"
          className={isSafe ? "btn main" : "btn danger"}
          disabled={isBusy || (mustType !== undefined && typed.trim() !== mustType)}
          onClick={onConfirm}
        >
          {action}
        </button>
      </div>
    </dialog>
  );
}
