// The team's API keys: the permissions and last use of each, and creating and deleting them.
import { useMutation } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { ApiKey } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { PAGE_ROWS, usePages } from "../../api/pages.ts";
import { queryClient } from "../../api/query-client.ts";
import { DangerButton, MainButton } from "../../parts/button.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { ChangedBy } from "../../parts/changed-by.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Facts } from "../../parts/list/facts.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Permitted } from "../../parts/permitted.tsx";
import { PagedList } from "../../parts/list/paged-list.tsx";
import type { ListColumn } from "../../parts/list/record-list.tsx";
import { agoColumn } from "../../parts/list/time-column.tsx";
import { TimeAgo } from "../../parts/time/time-ago.tsx";
import { NewKey } from "./new-key.tsx";

const LIST = ["keys"] as const;
const route = getRouteApi("/frame/keys");

const COLUMNS: readonly ListColumn<ApiKey>[] = [
  { name: "Name", cell: ({ name }) => name, width: "long" },
  {
    name: "Prefix",
    cell: ({ key_prefix: prefix }) => <code>{prefix}…</code>,
    isSecondary: true,
  },
  {
    name: "Permissions",
    cell: ({ permissions }) => (permissions === "full" ? "Full access" : "Send only"),
  },
  {
    name: "Last used",
    cell: ({ last_used_at: at }) => (at === null ? "Never" : <TimeAgo at={at} />),
    isLabelled: true,
    isNumber: true,
    width: "ago",
  },
  agoColumn("Created", (key) => key.created_at, { isSecondary: true }),
];

export function Keys() {
  const { open = null } = route.useSearch();
  const navigate = route.useNavigate();
  const [isNew, setNew] = useState(false);
  const query = usePages(LIST, (page) => api.apiKeys.list(page));
  const refresh = (): void => void queryClient.invalidateQueries({ queryKey: LIST });
  return (
    <>
      <PageHead title="Keys">
        <Permitted operation="POST /v1/api-keys" act="add keys">
          <MainButton onClick={() => setNew(true)}>Add key</MainButton>
        </Permitted>
      </PageHead>
      {isNew && <NewKey onMade={refresh} onClose={() => setNew(false)} />}
      <section className="panel" aria-label="Keys">
        <PagedList
          query={query}
          empty={<EmptyState command="curl -X POST …/v1/api-keys">No keys yet.</EmptyState>}
          label="Keys"
          columns={COLUMNS}
          open={open}
          onOpen={(id) => void navigate({ search: id === null ? {} : { open: id } })}
          detail={(key) => <KeyDetail apiKey={key} onDeleted={refresh} />}
        />
      </section>
      <AsRequest path={`/v1/api-keys?limit=${PAGE_ROWS}`} />
    </>
  );
}

interface KeyDetailProps {
  readonly apiKey: ApiKey;
  readonly onDeleted: () => void;
}

function KeyDetail({ apiKey, onDeleted }: KeyDetailProps) {
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => api.apiKeys.delete(apiKey.id),
    onSuccess: onDeleted,
  });
  return (
    <>
      <Facts
        facts={{
          ID: <code>{apiKey.id}</code>,
          "Sending domains": apiKey.allowed_domains?.join(", ") ?? "All",
          "Allowed IP addresses": apiKey.allowed_ips?.join(", ") ?? "Any",
        }}
      />
      <ChangedBy says="Made" operation="api_key.create" target={apiKey.id} />
      <Permitted operation="DELETE /v1/api-keys/{id}">
        <DangerButton onClick={() => setAsking(true)}>Delete key</DangerButton>
      </Permitted>
      {isAsking && (
        <ConfirmDialog
          title={`Delete key ${apiKey.name}?`}
          action="Delete key"
          request={remove}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>Within a minute, requests with this key will fail. This can’t be undone.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
