// The editor of a template: content and variables on the left, the preview on the right.
import { useMemo, useState } from "react";
import { AsRequest } from "../../parts/as-request.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { Differences } from "./diff/differences.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import { PreviewPanel } from "./preview-panel.tsx";
import { SourcePanel } from "./source-panel.tsx";
import { TemplateActions } from "./template-actions.tsx";
import { bodyOf, contentOf, type OpenTemplate, type TemplateContent } from "./template-calls.ts";
import { describeTemplate } from "./template-facts.ts";
import type { PreviewView } from "./template-search.ts";
import { TemplateState } from "./template-state.tsx";
import { TestSend } from "./test-send.tsx";
import { usePreview } from "./use-preview.ts";
import { useVariables } from "./use-variables.ts";
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
  const [content, setContent] = useEdited(saved);
  const isChanged = !isSame(content, saved);
  const variables = useVariables(samples);
  const preview = usePreview(kind, content, variables.values, (draft ?? template).fallbacks);
  const { shown, isCurrent, data } = preview;
  const problems = data?.problems ?? [];
  const isFine = isCurrent && problems.length === 0;
  const isWide = view === "all";
  const sources = (
    <div key="sources">
      <SourcePanel kind={kind} content={content} onChange={setContent} problems={problems} />
      <VariablesPanel
        text={variables.text}
        read={variables.read}
        missing={data?.missing ?? []}
        onChange={variables.setText}
        fill={variables.fillWith(data?.samples)}
      />
    </div>
  );
  const result = (
    <div key="result">
      {preview.error && <ErrorNotice error={preview.error} />}
      <PreviewPanel shown={data && shown} isCurrent={isCurrent} problemCount={problems.length} />
      <TestSend shown={shown} isCurrent={isFine && "values" in variables.read} />
    </div>
  );
  return (
    <>
      <StateBar opened={opened} isChanged={isChanged}>
        <TemplateActions
          template={template}
          content={content}
          isChanged={isChanged}
          onDiscarded={() => setContent(null)}
        />
      </StateBar>
      <LeaveGuard name={name} isChanged={isChanged} />
      <div className={isWide ? "editing in-turn" : "editing"}>
        {isWide ? [result, sources] : [sources, result]}
      </div>
      {template.published_at !== null && <Differences published={published} edited={content} />}
      <AsRequest
        method="POST"
        path="/v1/templates/preview"
        body={{
          kind,
          ...bodyOf(kind, content),
          variables: variables.values,
          ...((draft ?? template).fallbacks && { fallbacks: (draft ?? template).fallbacks }),
        }}
      />
    </>
  );
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

/** Returns the edited content, or the saved content if nothing was edited. */
function useEdited(saved: TemplateContent) {
  const [edited, setEdited] = useState<TemplateContent | null>(null);
  return [edited ?? saved, setEdited] as const;
}

function isSame(left: TemplateContent, right: TemplateContent): boolean {
  return left.subject === right.subject && left.source === right.source;
}
