// The variables of a preview while they are edited. Those that the template uses are filled in when
// it is opened, and later at the reader's wish, so that nothing changes under a typing hand.
import { useMemo, useState } from "react";
import type { TemplatePreview } from "../../../../packages/postern/src/generated/types.ts";
import type { TemplateContent } from "./template-calls.ts";
import {
  fillVariables,
  type VariableValues,
  readVariables,
  writeVariables,
} from "./variables-json.ts";

/** `uses` are the names that the opened content uses. */
export function useVariables(opened: TemplateContent, uses: readonly string[]) {
  const [text, setText] = useState(() => filledWith({}, uses, opened));
  const read = useMemo(() => readVariables(text), [text]);
  const [values, setValues] = useState<VariableValues>(() => ("values" in read ? read.values : {}));
  const [lastRead, setLastRead] = useState(read);
  if (read !== lastRead) {
    setLastRead(read);
    if ("values" in read) setValues(read.values);
  }
  const fill = (preview: TemplatePreview | undefined, content: TemplateContent): void => {
    setText(filledWith(values, preview?.missing ?? [], content));
  };
  return { text, setText, read, values, fill };
}

function filledWith(values: VariableValues, names: readonly string[], content: TemplateContent) {
  return writeVariables(fillVariables(values, names, `${content.subject}\n${content.source}`));
}
