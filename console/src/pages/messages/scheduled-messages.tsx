// The messages that wait for their time, the newest first. A row opens the message, which can be moved
// and canceled there.
import { getRouteApi } from "@tanstack/react-router";
import type { ScheduledEmail } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { PAGE_ROWS, usePages } from "../../api/pages.ts";
import { Answer } from "../../parts/answer.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorNote } from "../../parts/error-note.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { type ListColumn, RecordList } from "../../parts/record-list.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { MessageInPlace } from "../message/message-in-place.tsx";
import { readMessagesSearch } from "./messages-search.ts";
import { ViewChoice } from "./view-choice.tsx";

const route = getRouteApi("/frame/messages");

const COLUMNS: readonly ListColumn<ScheduledEmail>[] = [
  { name: "Subject", cell: ({ subject }) => (subject === "" ? "(no subject)" : subject) },
  { name: "To", cell: ({ recipients }) => recipients.join(", ") },
  {
    name: "Accepted",
    cell: ({ created_at: at }) => <TimeAgo at={at} />,
    isNumber: true,
    isSecondary: true,
  },
  { name: "Scheduled for", cell: ({ scheduled_at: at }) => <TimeAgo at={at} />, isNumber: true },
];

export function ScheduledMessages() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = usePages(["emails", "scheduled"], (page) =>
    api.emails.list({ ...page, status: "scheduled" }),
  );
  const rows = list.rows ?? [];
  const onOpen = (id: string | null): void => {
    const { open: _open, ...others } = search;
    void navigate({
      search: readMessagesSearch(id === null ? others : { ...others, open: id }),
      replace: true,
      resetScroll: false,
    });
  };
  return (
    <>
      <PageHead title="Messages">
        <ViewChoice
          search={search}
          view={search.view}
          onChoose={(next) => void navigate({ search: next, hash: true, resetScroll: false })}
        />
      </PageHead>
      <section className="panel" aria-label="Scheduled messages">
        <Answer query={list}>
          {() =>
            rows.length === 0 ? (
              <EmptyState>
                Nothing waits for its time. A send with scheduled_at appears here until it goes out.
              </EmptyState>
            ) : (
              <RecordList
                label="Scheduled messages"
                columns={COLUMNS}
                rows={rows}
                idOf={({ id }) => id}
                open={search.open ?? null}
                onOpen={onOpen}
                onEnd={list.more}
                isLoadingMore={list.isFetchingNextPage}
                detail={({ id }) => <MessageInPlace emailId={id} />}
              />
            )
          }
        </Answer>
        {list.retryMore && list.error && <ErrorNote error={list.error} retry={list.retryMore} />}
      </section>
      <AsRequest path={`/v1/email?status=scheduled&limit=${PAGE_ROWS}`} />
    </>
  );
}
