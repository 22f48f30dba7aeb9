// Jobs that failed every attempt: the job, its last error, and actions to requeue or delete it.
import { getRouteApi } from "@tanstack/react-router";
import type { DeadLetter } from "../../api/operator/types.ts";
import { operatorApi } from "../../api/operator-api-client.ts";
import { PAGE_ROWS, usePages } from "../../api/pages.ts";
import { AsRequest } from "../../parts/as-request.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { PagedList } from "../../parts/list/paged-list.tsx";
import type { ListColumn } from "../../parts/list/record-list.tsx";
import { ViewSwitch } from "../../parts/view-switch.tsx";
import { TimeAgo } from "../../parts/time/time-ago.tsx";
import { LetterDetail } from "./letter-detail.tsx";
import { useChecks } from "./operator-queries.ts";
import { QUEUES, type ChosenQueue } from "./operator-search.ts";

const route = getRouteApi("/operator/operator/dead-letters");

const COLUMNS: readonly ListColumn<DeadLetter>[] = [
  { name: "Queue", cell: ({ queue }) => queue },
  {
    name: "Error",
    cell: ({ error }) => (error === null ? "Not recorded" : <code title={error}>{error}</code>),
    width: "long",
  },
  {
    name: "Attempts",
    cell: ({ attempts }) => attempts,
    isNumber: true,
    isSecondary: true,
    width: "number",
  },
  { name: "Last failed", cell: ({ last_failed_at: at }) => <TimeAgo at={at} />, isNumber: true },
];

const ALL = "all";
const CHOICES: readonly (readonly [ChosenQueue | typeof ALL, string])[] = [
  [ALL, "All"],
  ...QUEUES.map((queue) => [queue, queue.replace("postern-", "")] as const),
];

export function DeadLetters() {
  const { open = null, queue } = route.useSearch();
  const navigate = route.useNavigate();
  const query = usePages(["operator", "dead-letters", queue ?? ALL], (page) =>
    operatorApi.deadLetters.list({ ...page, ...(queue && { queue }) }),
  );
  const advice = useChecks().data?.checks.find(
    ({ check, next_step }) => check === "queues.dead_letters" && next_step !== null,
  );
  const choose = (chosen: ChosenQueue | typeof ALL): void =>
    void navigate({ search: chosen === ALL ? {} : { queue: chosen } });
  return (
    <>
      <PageHead title="Dead letters">
        <ViewSwitch label="Queue" values={CHOICES} chosen={queue ?? ALL} onChoose={choose} />
      </PageHead>
      <p>
        A dead letter is a background job that failed every attempt. Only its IDs are kept, for 30
        days. {advice?.next_step}
      </p>
      <section className="panel" aria-label="Dead letters">
        <PagedList
          query={query}
          empty={<EmptyState>No dead letters{queue ? ` in ${queue}` : ""}.</EmptyState>}
          label="Dead letters"
          columns={COLUMNS}
          open={open}
          onOpen={(id) =>
            void navigate({
              search: { ...(queue && { queue }), ...(id !== null && { open: id }) },
            })
          }
          detail={(letter) => <LetterDetail letter={letter} />}
        />
      </section>
      <AsRequest path={`/admin/dead-letters?limit=${PAGE_ROWS}${queue ? `&queue=${queue}` : ""}`} />
    </>
  );
}
