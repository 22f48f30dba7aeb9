// The log: messages or single events, with every filter of the API. A line above the list reports
// new events, so the list never moves under the reader.
import { getRouteApi, useLocation } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { PAGE_ROWS } from "../../api/pages.ts";
import { QueryResult } from "../../parts/query-result.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { RecordList } from "../../parts/list/record-list.tsx";
import { beginExport } from "../../parts/export/export-run.ts";
import { ExportStatus } from "../../parts/export/export-status.tsx";
import { Loading } from "../../parts/loading.tsx";
import { EVENT_COLUMNS, MESSAGE_COLUMNS, PAST_MESSAGE_COLUMNS } from "./event-columns.tsx";
import { logFile } from "./log-csv.ts";
import { useLiveEvents } from "./events-query.ts";
import { LogTop } from "./log-top.tsx";
import { MessageFilters } from "./message-filters.tsx";
import { groupByMessage } from "./message-groups.ts";
import { InlineMessage } from "../message/inline-message.tsx";
import {
  type MessagesFragment,
  type MessagesSearch,
  pathOf,
  readFragment,
  readMessagesSearch,
  toLogQuery,
  writeFragment,
} from "./messages-search.ts";
import type { LogEvent } from "./newest-events.ts";
import { ScheduledMessages } from "./scheduled-messages.tsx";
import { ViewChoice } from "./view-choice.tsx";

const route = getRouteApi("/frame/messages");

export function Messages() {
  const { view } = route.useSearch();
  return view === "scheduled" ? <ScheduledMessages /> : <MessageLog />;
}

function MessageLog() {
  const search = route.useSearch();
  const hash = useLocation({ select: (location) => location.hash });
  const fragment = useMemo(() => readFragment(hash), [hash]);
  const navigate = route.useNavigate();
  const go = (next: MessagesSearch, parts: MessagesFragment, isStep = true): void =>
    void navigate({
      search: readMessagesSearch({ ...next }),
      hash: writeFragment(parts),
      replace: !isStep,
      resetScroll: false,
      hashScrollIntoView: false,
    });
  const { open = null, event_type: type } = search;
  // A message's outcome depends on events of several types. If a filter selects one type, the list
  // shows single events instead of messages.
  const view = type === undefined ? search.view : "events";
  const onOpen = (id: string | null): void => {
    const { open: _open, ...others } = search;
    go(id === null ? others : { ...others, open: id }, fragment, false);
  };
  const isReading = useCallback(() => open !== null || window.scrollY > 0, [open]);
  const live = useLiveEvents(search, fragment, isReading);
  const { list } = live;
  const rows = list.rows ?? [];
  return (
    <>
      <PageHead title="Messages">
        <ViewChoice search={search} view={view} onChoose={(next) => go(next, fragment)} />
      </PageHead>
      <ExportStatus />
      <section className="panel" aria-label="Log">
        <MessageFilters
          search={search}
          fragment={fragment}
          onFilter={({ open: _open, ...next }, parts) => go(next, parts)}
        />
        <LogTop
          live={live}
          count={(loaded) => (view === "events" ? loaded : groupByMessage(loaded)).length}
          noun={view === "events" ? "event" : "message"}
          save={() => {
            const now = Date.now();
            const of = view === "events" ? "events" : "messages";
            void beginExport(logFile(toLogQuery(search, fragment, now), of, now));
          }}
        />
        <QueryResult query={list} skeleton={<Loading rows={16} />}>
          {() =>
            rows.length === 0 ? (
              <NothingThere search={search} fragment={fragment} />
            ) : (
              <LogRows
                rows={rows}
                view={view}
                isPast={search.end !== undefined}
                open={open}
                onOpen={onOpen}
                list={list}
              />
            )
          }
        </QueryResult>
        {list.retryMore && list.error && <ErrorNotice error={list.error} retry={list.retryMore} />}
      </section>
      <AsRequest path={pathOf(toLogQuery(search, fragment, Date.now()), PAGE_ROWS)} />
    </>
  );
}

interface LogRowsProps {
  readonly rows: readonly LogEvent[];
  readonly view: MessagesSearch["view"];
  /** True: the period ended before now, so later events are not shown. */
  readonly isPast: boolean;
  readonly open: string | null;
  readonly onOpen: (id: string | null) => void;
  readonly list: ReturnType<typeof useLiveEvents>["list"];
}

function LogRows({ rows, view, isPast, open, onOpen, list }: LogRowsProps) {
  const groups = useMemo(() => groupByMessage(rows), [rows]);
  const common = {
    open,
    onOpen,
    onEnd: list.more,
    isLoadingMore: list.isFetchingNextPage,
  };
  if (view === "events")
    return (
      <RecordList
        {...common}
        label="Events"
        columns={EVENT_COLUMNS}
        rows={rows}
        idOf={({ id }) => id}
        detail={({ email_id: emailId, recipient }) => (
          <InlineMessage emailId={emailId} recipient={recipient} />
        )}
      />
    );
  return (
    <RecordList
      {...common}
      label="Messages"
      columns={isPast ? PAST_MESSAGE_COLUMNS : MESSAGE_COLUMNS}
      rows={groups}
      idOf={({ emailId }) => emailId}
      detail={({ emailId }) => <InlineMessage emailId={emailId} />}
    />
  );
}

interface NothingThereProps {
  readonly search: MessagesSearch;
  readonly fragment: MessagesFragment;
}

function NothingThere({ search, fragment }: NothingThereProps) {
  const { view: _view, open: _open, ...filters } = search;
  if (Object.keys({ ...filters, ...fragment }).length > 0)
    return (
      <EmptyState>
        No events match these filters. Filters match whole values only: remove a filter, or choose a
        longer time range.
      </EmptyState>
    );
  return (
    <EmptyState
      command={`curl -sS ${window.location.origin}/v1/email -H "Authorization: Bearer $POSTERN_API_KEY" -H 'Content-Type: application/json' -d '{"from":"hello@example.com","to":["you@example.org"],"subject":"Hello","text":"It works."}'`}
    >
      No events in the last 24 hours. Send a message and it appears here automatically, or choose a
      longer time range.
    </EmptyState>
  );
}
