// The variables of a preview while they are edited. A template is opened with samples of those that
// it uses; later they are filled in at the reader's wish, so that nothing changes under a typing
// hand.
import { useMemo, useState } from "react";
import {
  fillVariables,
  isFilled,
  type VariableValues,
  readVariables,
  writeVariables,
} from "./variables-json.ts";

/** `opened` are the samples for the opened content. */
export function useVariables(opened: VariableValues) {
  const [text, setText] = useState(() => writeVariables(opened));
  const read = useMemo(() => readVariables(text), [text]);
  const [values, setValues] = useState<VariableValues>(() => ("values" in read ? read.values : {}));
  const [lastRead, setLastRead] = useState(read);
  if (read !== lastRead) {
    setLastRead(read);
    if ("values" in read) setValues(read.values);
  }
  /** Returns what adds the samples to the typed variables; null: they can’t be added, or are there. */
  const fillWith = (samples: VariableValues | undefined): (() => void) | null =>
    samples === undefined || "problem" in read || isFilled(values, samples)
      ? null
      : () => setText(writeVariables(fillVariables(values, samples)));
  return { text, setText, read, values, fillWith };
}
