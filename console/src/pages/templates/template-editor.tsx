// The editor of a template: content and variables on the left, the preview on the right.
import { useMemo, useState } from "react";
import { AsRequest } from "../../parts/as-request.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { CheckPanel } from "./check/check-panel.tsx";
import { type CheckProblemView, useCheck } from "./check/use-check.ts";
import type { CodePosition } from "./code/code-editor.tsx";
import { Differences } from "./diff/differences.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import { PreviewPanel } from "./preview-panel.tsx";
import { positionOf, SourcePanel } from "./source-panel.tsx";
import { TemplateActions } from "./template-actions.tsx";
import { contentOf, type OpenTemplate } from "./template-calls.ts";
import { isSameContent } from "./edited-content.ts";
import { describeTemplate } from "./template-facts.ts";
import type { PreviewView } from "./template-search.ts";
import { TemplateState } from "./template-state.tsx";
import { TestSend } from "./test-send.tsx";
import { useEdited } from "./use-edited.ts";
import { usePreview } from "./use-preview.ts";
import { useVariables } from "./use-variables.ts";
import { VersionsPanel } from "./versions/versions-panel.tsx";
import { VariablesPanel } from "./variables-panel.tsx";

interface TemplateEditorProps {
  readonly opened: OpenTemplate;
  readonly view: PreviewView | undefined;
}

export function TemplateEditor({ opened, view }: TemplateEditorProps) {
  const { template, draft, samples } = opened;
  const { kind, name } = template;
  const saved = useMemo(() => contentOf(kind, draft ?? template), [kind, draft, template]);
  const published = useMemo(() => contentOf(kind, template), [kind, template]);
  const { content, base, edit, rebase, discard, markSaved } = useEdited(template.id, saved);
  const isChanged = !isSameContent(content, base);
  const variables = useVariables(samples);
  const preview = usePreview(kind, content, variables.values, (draft ?? template).fallbacks);
  const { shown, isCurrent, data } = preview;
  const check = useCheck(preview.body);
  const [place, setPlace] = useState<CodePosition | null>(null);
  const problems = data?.problems ?? [];
  const isFine = isCurrent && problems.length === 0;
  const isWide = view === "all";
  const [isTesting, setTesting] = useState(false);
  const sources = (
    <div key="sources">
      <SourcePanel
        kind={kind}
        content={content}
        onChange={edit}
        problems={problems}
        place={place}
        onPlace={setPlace}
      />
      <VariablesPanel
        text={variables.text}
        read={variables.read}
        missing={data?.missing ?? []}
        onChange={variables.setText}
        fill={variables.fillWith(data?.samples)}
      />
    </div>
  );
  const onProblem = ({ where }: CheckProblemView) => setPlace(positionOf(where, content.source));
  const result = <Result key="result" preview={preview} check={check} onProblem={onProblem} />;
  return (
    <>
      <StateBar opened={opened} isChanged={isChanged}>
        <TemplateActions
          template={template}
          edited={{ content, base }}
          isChanged={isChanged}
          onDiscarded={discard}
          onRebased={rebase}
          onSaved={markSaved}
          isTesting={isTesting}
          onTest={() => setTesting(!isTesting)}
        />
      </StateBar>
      {isTesting && (
        <TestSend
          found={check.data?.problems ?? []}
          shown={shown}
          isCurrent={isFine && "values" in variables.read}
        />
      )}
      <LeaveGuard name={name} isChanged={isChanged} />
      <div className={isWide ? "editing in-turn" : "editing"}>
        {isWide ? [result, sources] : [sources, result]}
      </div>
      {template.published_at !== null && <Differences published={published} edited={content} />}
      {template.published_at !== null && (
        <VersionsPanel template={template} edited={content} isChanged={isChanged} />
      )}
      <AsRequest method="POST" path="/v1/templates/preview" body={requestBody(preview.body)} />
    </>
  );
}

interface ResultProps {
  readonly preview: ReturnType<typeof usePreview>;
  readonly check: ReturnType<typeof useCheck>;
  readonly onProblem: (problem: CheckProblemView) => void;
}

function Result({ preview: { error, shown, data, isCurrent }, check, onProblem }: ResultProps) {
  const count = data?.problems.length ?? 0;
  return (
    <div>
      {error && <ErrorNotice error={error} />}
      <PreviewPanel shown={data && shown} isCurrent={isCurrent} problemCount={count} />
      <CheckPanel check={check} onPlace={onProblem} />
    </div>
  );
}

/** Removes members that are not given. */
function requestBody({ fallbacks, ...body }: ReturnType<typeof usePreview>["body"]) {
  return { ...body, ...(fallbacks && { fallbacks }) };
}

interface StateBarProps {
  readonly opened: OpenTemplate;
  readonly isChanged: boolean;
  readonly children: React.ReactNode;
}

function StateBar({ opened: { template }, isChanged, children }: StateBarProps) {
  return (
    <section className="panel state-bar" aria-label="Status">
      <TemplateState template={template} />
      <p aria-live="polite">{describeTemplate(template, isChanged)}</p>
      <div>{children}</div>
    </section>
  );
}
