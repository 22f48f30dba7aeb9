// Shows the preview's variables as a form or as JSON, and the names of missing variables. The
// service does not store the variables.
import { lazy, Suspense, useMemo, useState } from "react";
import { editorHeight } from "./code/editor-height.ts";
import { SmallButton } from "../../parts/button.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Panel } from "../../parts/panel.tsx";
import { ViewSwitch } from "../../parts/view-switch.tsx";
import { VariablesForm } from "./variables-form.tsx";
import { type ReadVariables, writeVariables } from "./variables-json.ts";

const CodeEditor = lazy(() =>
  import("./code/code-editor.tsx").then(({ CodeEditor: component }) => ({ default: component })),
);

const VIEWS = [
  ["form", "Form"],
  ["json", "JSON"],
] as const;

interface VariablesPanelProps {
  readonly text: string;
  readonly read: ReadVariables;
  readonly missing: readonly string[];
  readonly onChange: (text: string) => void;
  /** Adds sample values for the missing variables. Null: no variable is missing. */
  readonly fill: (() => void) | null;
}

export function VariablesPanel({ text, read, missing, onChange, fill }: VariablesPanelProps) {
  const [view, setView] = useState<"form" | "json">("form");
  const marks = useMemo(
    () =>
      "problem" in read
        ? [{ from: read.offset, to: text.length, message: `variables ${read.problem}` }]
        : [],
    [read, text],
  );
  return (
    <Panel
      title="Variables"
      note="For the preview and tests; not saved"
      aside={
        <span className="acts">
          <SmallButton disabled={fill === null} onClick={() => fill?.()}>
            Fill in samples
          </SmallButton>
          <ViewSwitch
            label="Edit variables as"
            values={VIEWS}
            chosen={"problem" in read ? "json" : view}
            onChoose={setView}
          />
        </span>
      }
    >
      {view === "form" && "values" in read ? (
        <VariablesForm
          values={read.values}
          onChange={(values) => onChange(writeVariables(values))}
        />
      ) : (
        <Suspense fallback={<Loading height={editorHeight(text)} />}>
          <CodeEditor
            label="Variables as JSON"
            language="json"
            value={text}
            onChange={onChange}
            marks={marks}
          />
        </Suspense>
      )}
      <div aria-live="polite">
        {"problem" in read ? (
          <p className="problems bad">
            <code>variables</code> {read.problem}
          </p>
        ) : (
          missing.length > 0 && (
            <p className="problems wait">
              Missing: <code>{missing.join(", ")}</code>. Missing variables are left blank.
            </p>
          )
        )}
      </div>
    </Panel>
  );
}
