// The edited content: subject and source, with each problem marked at its line.
import { lazy, Suspense, useMemo } from "react";
import type { TemplatePreview } from "../../../../packages/postern/src/generated/types.ts";
import { SOURCE_PX } from "./code/editor-height.ts";
import { formatHtml, isHardToRead } from "./code/format-html.ts";
import { SmallButton, TextButton } from "../../parts/button.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Panel } from "../../parts/panel.tsx";
import { useMay } from "../../parts/permitted.tsx";
import type { CodePosition } from "./code/code-editor.tsx";
import type { TemplateKind } from "./template-calls.ts";
import type { TemplateContent } from "./edited-content.ts";
import { marksOf } from "./template-facts.ts";
import { offsetOf } from "./variables-json.ts";

const CodeEditor = lazy(() =>
  import("./code/code-editor.tsx").then(({ CodeEditor: component }) => ({ default: component })),
);

type Problem = TemplatePreview["problems"][number];

interface SourcePanelProps {
  readonly kind: TemplateKind;
  readonly content: TemplateContent;
  readonly onChange: (content: TemplateContent) => void;
  readonly problems: readonly Problem[];
  /** The position to which the editor moves. */
  readonly place: CodePosition | null;
  readonly onPlace: (place: CodePosition) => void;
}

export function SourcePanel(props: SourcePanelProps) {
  const { kind, content, onChange, problems, place, onPlace } = props;
  const { subject, source } = content;
  // A text that the session may not save would be lost.
  const isReadOnly = !useMay("PATCH /v1/templates/{id}/draft");
  const marks = useMemo(() => marksOf(problems, kind, source), [problems, kind, source]);
  const isSubjectBad = problems.some(({ field }) => field === "subject");
  const name = kind === "html" ? "HTML" : "Markdown";
  return (
    <Panel
      title="Content"
      note={isReadOnly ? `${name}, read-only` : name}
      aside={
        !isReadOnly &&
        kind === "html" &&
        isHardToRead(source) && (
          <SmallButton onClick={() => onChange({ subject, source: formatHtml(source) })}>
            Format
          </SmallButton>
        )
      }
    >
      <label className="field inset">
        Subject
        <input
          value={subject}
          readOnly={isReadOnly}
          aria-invalid={isSubjectBad}
          aria-describedby={isSubjectBad ? "template-problems" : undefined}
          onChange={(event) => onChange({ subject: event.target.value, source })}
        />
      </label>
      <Suspense fallback={<Loading height={SOURCE_PX} />}>
        <CodeEditor
          label={`${name} source`}
          language={kind}
          value={source}
          onChange={(text) => onChange({ subject, source: text })}
          isReadOnly={isReadOnly}
          marks={marks}
          place={place}
        />
      </Suspense>
      <div id="template-problems" aria-live="polite">
        {problems.length > 0 && (
          <ul className="problems bad">
            {problems.map((problem) => (
              <li key={`${problem.field} ${problem.line} ${problem.column} ${problem.message}`}>
                <code>{problem.field}</code> {problem.message}{" "}
                {problem.line !== null && problem.field !== "subject" && (
                  <TextButton onClick={() => onPlace(positionOf(problem, source))}>
                    Go to line {problem.line}
                  </TextButton>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Panel>
  );
}

export function positionOf(
  { line, column }: Pick<Problem, "line" | "column">,
  source: string,
): CodePosition {
  return { offset: offsetOf(source, line ?? 1, column ?? 1) };
}
