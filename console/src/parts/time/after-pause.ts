// Delays a value that a person types.
import { useEffect, useState } from "react";

/** Returns the value after it has not changed for a time. */
export function useAfterPause<Value>(value: Value, pauseMs: number): Value {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return paused;
}
