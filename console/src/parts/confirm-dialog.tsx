// Asks for confirmation before an action with consequences, and names the object of the action. The
// browser's native dialog keeps the focus inside.
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { ErrorNotice } from "./error-notice.tsx";
import { AS_TYPED } from "./form.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** The label of the button that confirms, such as "Delete key". */
  readonly action: string;
  /** The name that the person must type before an action that destroys much and can't be undone. */
  readonly mustType?: string;
  /**
   * The label of the button that closes the dialog without a change. It is needed if "Cancel" could
   * be read as the action.
   */
  readonly dismiss?: string;
  /** True: the action destroys nothing. */
  readonly isSafe?: boolean;
  /** The state of the request that the action sends. */
  readonly request?: { readonly error: Error | null; readonly isPending: boolean };
  /** True: the action is not possible yet. */
  readonly isIncomplete?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, mustType, dismiss = "Cancel", isSafe = false } = props;
  const { request, isIncomplete = false, onConfirm, onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  // The buttons call close(), because only a dialog that is closed returns the focus. A dialog that
  // is only removed does not.
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={onClose}
      // Keys must not reach the page behind the dialog: Esc closes only the dialog.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <h2>{title}</h2>
      <div>
        {children}
        {request?.error && <ErrorNotice error={request.error} />}
      </div>
      {mustType !== undefined && (
        <label className="field">
          <span>
            Type <code>{mustType}</code> to confirm
          </span>
          <input value={typed} onChange={({ target }) => setTyped(target.value)} {...AS_TYPED} />
        </label>
      )}
      <div className="buttons">
        <Button onClick={() => dialog.current?.close()}>{dismiss}</Button>
        <Button
          className={isSafe ? "btn main" : "btn danger"}
          disabled={isIncomplete || request?.isPending || typed.trim() !== (mustType ?? "")}
          onClick={onConfirm}
        >
          {action}
        </Button>
      </div>
    </dialog>
  );
}
