// The team's templates: their states, and the time of each last change.
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Template } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { PAGE_ROWS, usePages } from "../../api/pages.ts";
import { DangerButton } from "../../parts/button.tsx";
import { QueryResult } from "../../parts/query-result.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { CopyableCode } from "../../parts/copy-button.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Facts } from "../../parts/list/facts.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Permitted, useMay } from "../../parts/permitted.tsx";
import { type ListColumn, RecordList } from "../../parts/list/record-list.tsx";
import { TimeAgo } from "../../parts/time/time-ago.tsx";
import { DeleteTemplate } from "./delete-template.tsx";
import { DuplicateButton } from "./duplicate-button.tsx";
import { TEMPLATE_LIST } from "./template-calls.ts";
import { describeTemplates } from "./template-facts.ts";
import { TemplateState } from "./template-state.tsx";

const route = getRouteApi("/frame/templates");

const COLUMNS: readonly ListColumn<Template>[] = [
  { name: "Name", cell: ({ name }) => name, width: "long" },
  { name: "Subject", cell: ({ subject }) => subject ?? "–", isSecondary: true, width: "long" },
  {
    name: "Status",
    cell: (template) => <TemplateState template={template} />,
    width: "status",
  },
  {
    name: "Updated",
    cell: ({ updated_at: at }) => <TimeAgo at={at} />,
    isNumber: true,
  },
];

export function Templates() {
  const { open } = route.useSearch();
  const navigate = route.useNavigate();
  const query = usePages(TEMPLATE_LIST, (page) => api.templates.list(page));
  const rows = query.rows ?? [];
  return (
    <>
      <PageHead title="Templates">
        <Permitted operation="POST /v1/templates" act="add templates">
          <Link to="/templates/new" className="btn main">
            Add template
          </Link>
        </Permitted>
      </PageHead>
      <QueryResult query={query}>
        {() =>
          rows.length === 0 ? (
            <section className="panel">
              <EmptyState
                command={`curl -sS '${window.location.origin}/v1/templates' -H "Authorization: Bearer $POSTERN_API_KEY" -H 'Content-Type: application/json' -d '{"name":"Receipt","kind":"markdown","subject":"Receipt {{number}}","markdown":"# Thank you, {{name}}"}'`}
              >
                No templates yet. Add one here or with the API:
              </EmptyState>
            </section>
          ) : (
            <Panel title="All templates" note={describeTemplates(rows)}>
              <RecordList
                label="Templates"
                columns={COLUMNS}
                rows={rows}
                idOf={({ id }) => id}
                open={open ?? null}
                onOpen={(id) =>
                  void navigate({ search: id === null ? {} : { open: id }, resetScroll: false })
                }
                detail={(template) => <TemplateDetail template={template} />}
                onEnd={query.more}
                isLoadingMore={query.isFetchingNextPage}
              />
            </Panel>
          )
        }
      </QueryResult>
      <AsRequest path={`/v1/templates?limit=${PAGE_ROWS}`} />
    </>
  );
}

function TemplateDetail({ template }: { readonly template: Template }) {
  const { id, subject, kind, published_at: publishedAt, updated_at: updatedAt } = template;
  const [isDeleting, setDeleting] = useState(false);
  const mayEdit = useMay("PATCH /v1/templates/{id}/draft");
  return (
    <>
      <Facts
        facts={{
          ID: (
            <>
              <CopyableCode text={id} />
            </>
          ),
          Subject: subject ?? "–",
          Format: kind === "html" ? "HTML" : "Markdown",
          Published: publishedAt === null ? "Not published" : <TimeAgo at={publishedAt} />,
          Updated: <TimeAgo at={updatedAt} />,
        }}
      />
      <div className="buttons">
        <Link to="/templates/$templateId" params={{ templateId: id }} className="btn main">
          {mayEdit ? "Edit" : "Open"}
        </Link>
        <Permitted operation="POST /v1/templates/{id}/duplicate">
          <DuplicateButton id={id} />
        </Permitted>
        <Permitted operation="DELETE /v1/templates/{id}">
          <DangerButton onClick={() => setDeleting(true)}>Delete</DangerButton>
        </Permitted>
      </div>
      {isDeleting && (
        <DeleteTemplate
          template={template}
          onDeleted={() => setDeleting(false)}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  );
}
