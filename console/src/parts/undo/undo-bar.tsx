// Announces a pending change on every page, and offers to undo it for ten seconds.
import { useEffect, useReducer } from "react";
import type { DelayedChange } from "./delayed-changes.ts";
import { ErrorNotice } from "../error-notice.tsx";
import { changes, useChanges } from "./undo.ts";

const TICK_MS = 1_000;

export function UndoBars() {
  const all = useChanges();
  return (
    <div className="undo-bars">
      {/* The region is there before the text, or else no screen reader reads the first one. */}
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
        <button type="button" className="btn small" onClick={() => void changes.send(name)}>
          Try again
        </button>
        <button type="button" className="btn small" onClick={close}>
          Close
        </button>
      </div>
    );
  return (
    <div className="panel undo">
      {state.kind === "waiting" ? (
        <>
          <p>
            {title} <Countdown until={state.until} />
          </p>
          <button type="button" className="btn small main" onClick={close}>
            Undo
          </button>
          <button type="button" className="btn small" onClick={() => void changes.send(name)}>
            {now}
          </button>
        </>
      ) : (
        <p>{state.kind === "sending" ? `${title} now.` : done}</p>
      )}
    </div>
  );
}

/**
 * Shows the remaining seconds, but not to screen readers, which would announce them every second.
 */
function Countdown({ until }: { readonly until: number }) {
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const left = Math.max(1, Math.ceil((until - Date.now()) / TICK_MS));
  return (
    <span className="muted" aria-hidden="true">
      {`in\u00A0${left}\u00A0s`}
    </span>
  );
}
