// The answers to the team's messages, newest first.
import { getRouteApi } from "@tanstack/react-router";
import type { Reply } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { PAGE_ROWS, usePages } from "../../api/pages.ts";
import { Button } from "../../parts/button.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { PagedList } from "../../parts/list/paged-list.tsx";
import type { ListColumn } from "../../parts/list/record-list.tsx";
import { ViewSwitch } from "../../parts/view-switch.tsx";
import { TimeAgo } from "../../parts/time/time-ago.tsx";
import { SEEN_FILTERS } from "./replies-search.ts";
import { ReplyDetail } from "./reply-detail.tsx";
import { ReplyMark } from "./reply-mark.tsx";

const route = getRouteApi("/frame/replies");

const COLUMNS: readonly ListColumn<Reply>[] = [
  { name: "Kind", cell: (reply) => <ReplyMark reply={reply} />, width: "status" },
  { name: "From", cell: ({ from }) => from ?? "Unknown", width: "long" },
  { name: "Answer", cell: ({ subject, preview }) => preview || subject, width: "long" },
  { name: "Received", cell: ({ received_at: at }) => <TimeAgo at={at} />, isNumber: true },
];

export function Replies() {
  const { open = null, show = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const kept = show === "" ? {} : { show };
  const filter = show === "" ? {} : { seen: "false" as const };
  const query = usePages(["replies", show], (page) => api.replies.list({ ...page, ...filter }));
  return (
    <>
      <PageHead title="Replies">
        <ViewSwitch
          label="Replies to show"
          values={SEEN_FILTERS}
          chosen={show}
          onChoose={(value) => void navigate({ search: value === "" ? {} : { show: value } })}
        />
        <Button onClick={() => void query.refetch()}>Refresh</Button>
      </PageHead>
      <section className="panel" aria-label="Replies">
        <PagedList
          query={query}
          empty={
            <EmptyState>
              {show === "" ? "No replies yet." : "No unseen replies."} Answers to messages that were
              sent with reply_tracking appear here.
            </EmptyState>
          }
          label="Replies"
          columns={COLUMNS}
          open={open}
          onOpen={(id) => void navigate({ search: { ...kept, ...(id !== null && { open: id }) } })}
          detail={({ id }) => <ReplyDetail id={id} />}
        />
      </section>
      <AsRequest path={`/v1/replies?limit=${PAGE_ROWS}${show === "" ? "" : "&seen=false"}`} />
    </>
  );
}
