// Lists who changed what in the team, newest first. Only owners see it.
import { getRouteApi } from "@tanstack/react-router";
import { actorName, listAudit } from "../../api/audit-records.ts";
import type { AuditRecord } from "../../api/operator/types.ts";
import { usePages } from "../../api/pages.ts";
import { Button, SmallButton, TextButton } from "../../parts/button.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Facts } from "../../parts/list/facts.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { PagedList } from "../../parts/list/paged-list.tsx";
import type { ListColumn } from "../../parts/list/record-list.tsx";
import { agoColumn } from "../../parts/list/time-column.tsx";
import type { AuditSearch } from "./audit-search.ts";

const route = getRouteApi("/frame/audit");

const COLUMNS: readonly ListColumn<AuditRecord>[] = [
  { name: "Who", cell: ({ actor }) => actorName(actor), width: "long" },
  { name: "What", cell: ({ operation }) => <code>{operation}</code>, width: "outcome" },
  { name: "On", cell: ({ target }) => <code>{target ?? "the team"}</code>, width: "longest" },
  {
    name: "Changed",
    cell: ({ changed }) => changed.join(", "),
    isSecondary: true,
    width: "long",
  },
  agoColumn("When", ({ at }) => at),
];

export function Audit() {
  const { open = null, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const { actor, ...others } = filters;
  const asked = { ...others, ...(actor !== undefined && { actor_id: actor }) };
  const query = usePages(["audit", filters], (page) => listAudit({ ...page, ...asked }));
  return (
    <>
      <PageHead title="Audit">
        <Button onClick={() => void query.refetch()}>Refresh</Button>
      </PageHead>
      <Chosen filters={filters} onClear={() => void navigate({ search: {} })} />
      <section className="panel" aria-label="Audit">
        <PagedList
          query={query}
          empty={<EmptyState>No changes here. Sends are not part of the audit.</EmptyState>}
          label="Audit"
          columns={COLUMNS}
          open={open}
          onOpen={(id) =>
            void navigate({ search: { ...filters, ...(id !== null && { open: id }) } })
          }
          detail={(record) => (
            <EntryDetail record={record} onFilter={(chosen) => void navigate({ search: chosen })} />
          )}
        />
      </section>
    </>
  );
}

interface ChosenProps {
  readonly filters: AuditSearch;
  readonly onClear: () => void;
}

function Chosen({ filters, onClear }: ChosenProps) {
  const texts = Object.values(filters).filter((text) => text !== undefined);
  if (texts.length === 0) return null;
  return (
    <p>
      Only {texts.join(", ")}. <TextButton onClick={onClear}>Show all</TextButton>
    </p>
  );
}

interface EntryDetailProps {
  readonly record: AuditRecord;
  readonly onFilter: (search: AuditSearch) => void;
}

function EntryDetail({ record, onFilter }: EntryDetailProps) {
  const { id, via, operation, target, changed, request_id: requestId } = record;
  const { id: actorId } = record.actor;
  return (
    <>
      <Facts
        facts={{
          ID: <code>{id}</code>,
          Through: via,
          "Changed members": changed.length === 0 ? "–" : changed.join(", "),
          Request: <code>{requestId ?? "–"}</code>,
        }}
      />
      <div className="buttons">
        {actorId !== null && (
          <SmallButton onClick={() => onFilter({ actor: actorId })}>All by this actor</SmallButton>
        )}
        {target !== null && (
          <SmallButton onClick={() => onFilter({ target })}>All on this target</SmallButton>
        )}
        <SmallButton onClick={() => onFilter({ operation })}>All {operation}</SmallButton>
      </div>
    </>
  );
}
