// The differences of the edited content to the published one, by lines.
import { useMemo } from "react";
import { Panel } from "../../parts/panel.tsx";
import { type DiffPart, diffLines, foldSame } from "./line-diff.ts";
import type { TemplateContent } from "./template-calls.ts";

interface DifferencesProps {
  readonly published: TemplateContent;
  readonly edited: TemplateContent;
}

const SIGNS = { same: " ", removed: "−", added: "+" } as const;

export function Differences({ published, edited }: DifferencesProps) {
  const parts = useMemo(
    () => foldSame(diffLines(textOf(published), textOf(edited))),
    [published, edited],
  );
  const added = parts.filter(({ change }) => change === "added").length;
  const removed = parts.filter(({ change }) => change === "removed").length;
  const isSame = added + removed === 0;
  return (
    <Panel
      title="Differences to the published one"
      note={isSame ? "none" : `${added} added, ${removed} removed`}
    >
      {!isSame && (
        <pre className="diff" tabIndex={0} aria-label="Differences by line">
          {parts.map((part, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- lines repeat and have no id
            <Line key={index} part={part} />
          ))}
        </pre>
      )}
    </Panel>
  );
}

/** The subject is the first line, so that one list shows every change. */
function textOf({ subject, source }: TemplateContent): string {
  return `Subject: ${subject}\n${source}`;
}

function Line({ part }: { readonly part: DiffPart }) {
  if (part.change === "gap")
    return (
      <span className="gap">
        {`  ${part.lines} ${part.lines === 1 ? "line" : "lines"} without a change\n`}
      </span>
    );
  return <span className={part.change}>{`${SIGNS[part.change]} ${part.text}\n`}</span>;
}
