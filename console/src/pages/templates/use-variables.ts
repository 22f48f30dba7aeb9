// The editable variables of a preview. When a template opens, they are sample values. Later samples
// are added only on request. Otherwise the text would change while a person types.
import { useMemo, useState } from "react";
import {
  fillVariables,
  isFilled,
  type VariableValues,
  readVariables,
  writeVariables,
} from "./variables-json.ts";

/**
 * Returns the variables. `opened` has sample variables for the content with which the editor opens.
 */
export function useVariables(opened: VariableValues) {
  const [text, setText] = useState(() => writeVariables(opened));
  const read = useMemo(() => readVariables(text), [text]);
  const [values, setValues] = useState<VariableValues>(() => ("values" in read ? read.values : {}));
  const [lastRead, setLastRead] = useState(read);
  if (read !== lastRead) {
    setLastRead(read);
    if ("values" in read) setValues(read.values);
  }
  /**
   * A function that adds the samples to the typed variables. Null: they can't be added, or the
   * variables already have them.
   */
  const fillWith = (samples: VariableValues | undefined): (() => void) | null =>
    samples === undefined || "problem" in read || isFilled(values, samples)
      ? null
      : () => setText(writeVariables(fillVariables(values, samples)));
  return { text, setText, read, values, fillWith };
}
