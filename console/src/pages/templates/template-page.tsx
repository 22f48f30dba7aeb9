// One template, opened in the editor.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { QueryResult, isMissing } from "../../parts/query-result.tsx";
import { CopyableCode } from "../../parts/copy-button.tsx";
import { NoObject } from "../../parts/not-found.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Permitted } from "../../parts/permitted.tsx";
import { RenameTemplate } from "./rename-template.tsx";
import { templateQuery } from "./template-calls.ts";
import { TemplateEditor } from "./template-editor.tsx";

const route = getRouteApi("/frame/templates/$templateId");

export function TemplatePage() {
  const { templateId } = route.useParams();
  const { view } = route.useSearch();
  const query = useQuery(templateQuery(templateId));
  const name = query.data?.template.name ?? "Template";
  if (isMissing(query)) return <NoObject noun="template" id={templateId} />;
  return (
    <>
      <PageHead title={name}>
        {query.data && (
          <Permitted operation="PATCH /v1/templates/{id}">
            <RenameTemplate key={name} template={query.data.template} />
          </Permitted>
        )}
      </PageHead>
      <p className="muted">
        <Link to="/templates">Templates</Link> › <CopyableCode text={templateId} />
        {query.data?.template.alias && (
          <>
            {" "}
            · Alias <code>{query.data.template.alias}</code>
          </>
        )}
      </p>
      <QueryResult query={query}>
        {(opened) => <TemplateEditor key={templateId} opened={opened} view={view} />}
      </QueryResult>
    </>
  );
}
