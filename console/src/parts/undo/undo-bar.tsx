// Announces a pending change on every page. A button undoes the change for ten seconds.
import { Button, SmallButton } from "../button.tsx";
import { ErrorNotice } from "../error-notice.tsx";
import { SHORTCUTS } from "../key-table.ts";
import { useNow } from "../time/time-ago.tsx";
import { SECOND_MS } from "../time/time-units.ts";
import { type DelayedChange, UNDO_MS } from "./delayed-changes.ts";
import { changes, useChanges } from "./undo.ts";

/** The number of remaining seconds at which the countdown is announced a second time. */
const LAST_SECONDS = 3;

export function UndoBars() {
  const all = useChanges();
  return (
    <div className="undo-bars">
      {/* The region exists before the text, because otherwise screen readers do not read the
          first text. */}
      <div role="status">
        {all.map((change) => (
          <UndoBar key={change.name} change={change} />
        ))}
      </div>
    </div>
  );
}

function UndoBar({ change }: { readonly change: DelayedChange }) {
  const { name, title, done, failed, now, state } = change;
  const close = (): void => changes.close(name);
  if (state.kind === "failed")
    return (
      <div className="panel undo">
        <div>
          <p>{failed}</p>
          <ErrorNotice error={state.error} />
        </div>
        <SmallButton onClick={() => void changes.send(name)}>Try again</SmallButton>
        <SmallButton onClick={close}>Close</SmallButton>
      </div>
    );
  return (
    <div
      className="panel undo"
      onFocus={() => changes.hold(name)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) changes.resume(name);
      }}
    >
      {state.kind === "waiting" ? (
        <>
          <p>
            {title} <Countdown {...state} />
          </p>
          <Button className="btn small main" aria-keyshortcuts={SHORTCUTS.undo.key} onClick={close}>
            Undo <kbd aria-hidden="true">{SHORTCUTS.undo.key}</kbd>
          </Button>
          <SmallButton onClick={() => void changes.send(name)}>{now}</SmallButton>
        </>
      ) : (
        <p>{state.kind === "sending" ? `${title} now.` : done}</p>
      )}
    </div>
  );
}

interface CountdownProps {
  /** Unix milliseconds. */
  readonly until: number;
  /** The remaining time in milliseconds while the countdown is stopped. */
  readonly held?: number;
}

/**
 * Shows the remaining seconds. A screen reader announces only the first and the last of them, and
 * how to undo.
 */
function Countdown({ until, held }: CountdownProps) {
  const now = useNow(SECOND_MS);
  const left = Math.max(1, Math.ceil((held ?? until - now) / SECOND_MS));
  const isLate = left <= LAST_SECONDS;
  return (
    <>
      <span className="muted" aria-hidden="true">
        {held === undefined ? `in\u00A0${left}\u00A0s` : `waits, ${left}\u00A0s left`}
      </span>
      <span className="unseen">
        {isLate ? `in ${LAST_SECONDS} seconds` : `in ${UNDO_MS / SECOND_MS} seconds`}. Press{" "}
        {SHORTCUTS.undo.key} to undo.
      </span>
    </>
  );
}
