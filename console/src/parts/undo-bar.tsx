// Says what was just done, and offers for ten seconds to undo it.
import { useEffect, useEffectEvent, useState } from "react";

const STANDS_MS = 10_000;
const TICK_MS = 1_000;

interface UndoBarProps {
  /** The act, in the past tense. */
  readonly done: string;
  /** The verb, such as "Put it back". */
  readonly action: string;
  readonly onUndo: () => void;
  /** Called when the time is over. */
  readonly onOver: () => void;
}

export function UndoBar({ done, action, onUndo, onOver }: UndoBarProps) {
  const [left, setLeft] = useState(STANDS_MS / TICK_MS);
  const over = useEffectEvent(onOver);
  useEffect(() => {
    const end = setTimeout(() => over(), STANDS_MS);
    const tick = setInterval(() => setLeft((seconds) => Math.max(1, seconds - 1)), TICK_MS);
    return () => {
      clearTimeout(end);
      clearInterval(tick);
    };
  }, []);
  return (
    <div className="panel undo">
      <p role="status">{done}</p>
      <button type="button" className="btn small" onClick={onUndo}>
        {action} <span className="muted">{left} s</span>
      </button>
    </div>
  );
}
