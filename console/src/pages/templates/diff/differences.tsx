// The differences between the edited and the published content: by line, and by word within a line.
import { useMemo } from "react";
import { Panel } from "../../../parts/panel.tsx";
import { type DiffLine, type DiffPart, diffLines, foldSame } from "./line-diff.ts";
import type { TemplateContent } from "../edited-content.ts";

interface DifferencesProps {
  readonly published: TemplateContent;
  readonly edited: TemplateContent;
}

const SIGNS = { same: " ", removed: "−", added: "+" } as const;
const WORD_TAGS = { removed: "del", added: "ins" } as const;

export function Differences(props: DifferencesProps) {
  const { parts, note } = useDifferences(props);
  return (
    <Panel title="Changes since the published version" note={note}>
      {parts.length > 0 && <DiffText parts={parts} />}
    </Panel>
  );
}

/** Shows the differences for use in a dialog. */
export function DifferencesInline(props: DifferencesProps) {
  const { parts, note } = useDifferences(props);
  return (
    <>
      <p className="muted">Changes: {note}</p>
      {parts.length > 0 && <DiffText parts={parts} />}
    </>
  );
}

function useDifferences({ published, edited }: DifferencesProps) {
  return useMemo(() => {
    const lines = diffLines(textOf(published), textOf(edited));
    const count = (wanted: DiffLine["change"]): number =>
      lines.filter(({ change }) => change === wanted).length;
    const [added, removed] = [count("added"), count("removed")];
    return added + removed === 0
      ? { parts: [], note: "None" }
      : { parts: foldSame(lines), note: `${linesText(added)} added, ${removed} removed` };
  }, [published, edited]);
}

/** The subject becomes the first line, so that one list has every change. */
function textOf({ subject, source }: TemplateContent): string {
  return `Subject: ${subject}\n${source}`;
}

function linesText(count: number): string {
  return `${count} ${count === 1 ? "line" : "lines"}`;
}

function DiffText({ parts }: { readonly parts: readonly DiffPart[] }) {
  return (
    <pre className="diff" tabIndex={0} aria-label="Changes by line">
      {parts.map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines repeat and have no id
        <Line key={index} part={part} />
      ))}
    </pre>
  );
}

function Line({ part }: { readonly part: DiffPart }) {
  if (part.change === "gap")
    return <span className="gap">{`  ${linesText(part.lines)} unchanged\n`}</span>;
  return (
    <span className={part.change}>
      {SIGNS[part.change]} <Words line={part} />
      {"\n"}
    </span>
  );
}

/**
 * Shows the words of a line. A mark shows which words differ, because colour alone is not
 * accessible.
 */
function Words({ line: { change, text, words } }: { readonly line: DiffLine }) {
  if (change === "same" || words === undefined) return text;
  const Tag = WORD_TAGS[change];
  return words.map((word, index) =>
    // oxlint-disable-next-line react/no-array-index-key -- words repeat and have no id
    word.isChanged ? <Tag key={index}>{word.text}</Tag> : word.text,
  );
}
