// The versions of a template: each can be compared with the editor's text, and restored as the
// draft.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type {
  Template,
  TemplateVersion,
} from "../../../../../packages/postern/src/generated/types.ts";
import { api } from "../../../api/api-client.ts";
import { usePages } from "../../../api/pages.ts";
import { SmallButton } from "../../../parts/button.tsx";
import { ChangedBy } from "../../../parts/changed-by.tsx";
import { ErrorNotice } from "../../../parts/error-notice.tsx";
import { Panel } from "../../../parts/panel.tsx";
import { Permitted } from "../../../parts/permitted.tsx";
import { QueryResult } from "../../../parts/query-result.tsx";
import { TimeAgo } from "../../../parts/time/time-ago.tsx";
import { DifferencesInline } from "../diff/differences.tsx";
import type { TemplateContent } from "../edited-content.ts";
import { contentOf, refreshTemplates } from "../template-calls.ts";

interface VersionsPanelProps {
  readonly template: Template;
  readonly edited: TemplateContent;
  /** True: the editor has unsaved text, which a restored version would replace. */
  readonly isChanged: boolean;
}

export function VersionsPanel({ template, edited, isChanged }: VersionsPanelProps) {
  const { id, published_at: publishedAt } = template;
  const query = usePages(["template", id, "versions", publishedAt], (page) =>
    api.templates.listVersions(id, page),
  );
  const [compared, setCompared] = useState<number | null>(null);
  return (
    <Panel title="Versions">
      <div className="padded">
        <ChangedBy says="Published" operation="template.publish" target={id} />
        <QueryResult query={query}>
          {() =>
            query.rows?.length === 0 ? (
              <p className="muted">Each publication makes a version. There is none yet.</p>
            ) : (
              <ul className="versions">
                {query.rows?.map((version) => (
                  <li key={version.version}>
                    <VersionLine
                      version={version}
                      isOpen={compared === version.version}
                      onCompare={(isOpen) => setCompared(isOpen ? version.version : null)}
                    />
                    {compared === version.version && (
                      <ComparedVersion
                        template={template}
                        number={version.version}
                        edited={edited}
                        isChanged={isChanged}
                      />
                    )}
                  </li>
                ))}
              </ul>
            )
          }
        </QueryResult>
        {query.more && <SmallButton onClick={query.more}>Older versions</SmallButton>}
      </div>
    </Panel>
  );
}

interface VersionLineProps {
  readonly version: TemplateVersion;
  readonly isOpen: boolean;
  readonly onCompare: (isOpen: boolean) => void;
}

function VersionLine({ version, isOpen, onCompare }: VersionLineProps) {
  const { version: number, subject, is_published: isPublished, published_at: at } = version;
  return (
    <>
      Version {number}
      {isPublished ? " (published)" : ""}: {subject ?? "no subject"}, <TimeAgo at={at} />{" "}
      <SmallButton
        aria-expanded={isOpen}
        aria-label={`Compare version ${number}`}
        onClick={() => onCompare(!isOpen)}
      >
        Compare
      </SmallButton>
    </>
  );
}

interface ComparedVersionProps extends VersionsPanelProps {
  readonly number: number;
}

function ComparedVersion({ template, number, edited, isChanged }: ComparedVersionProps) {
  const { id, kind } = template;
  const query = useQuery({
    queryKey: ["template", id, "version", number],
    queryFn: () => api.templates.getVersion(id, String(number)),
  });
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.templates.restoreVersion(id, String(number)),
    onSuccess: () => refreshTemplates(id),
  });
  return (
    <QueryResult query={query}>
      {(version) => (
        <>
          <DifferencesInline published={contentOf(kind, version)} edited={edited} />
          {error && <ErrorNotice error={error} />}
          <Permitted operation="POST /v1/templates/{id}/versions/{version}/restore">
            <SmallButton disabled={isPending || isChanged} onClick={() => mutate()}>
              Restore version {number} as the draft
            </SmallButton>
            {isChanged && (
              <p className="muted">
                Save or discard your changes first: restoring replaces the draft.
              </p>
            )}
          </Permitted>
        </>
      )}
    </QueryResult>
  );
}
