// The messages that match a search, with a row for each recipient, newest first. A row opens its
// timeline.
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useCallback, useMemo } from "react";
import { PAGE_ROWS } from "../../api/pages.ts";
import { QueryResult } from "../../parts/query-result.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { Status } from "../../parts/pill.tsx";
import { type ListColumn, RecordList } from "../../parts/list/record-list.tsx";
import { agoColumn } from "../../parts/list/time-column.tsx";
import { beginExport } from "../../parts/export/export-run.ts";
import { ExportStatus } from "../../parts/export/export-status.tsx";
import { subjectText } from "../../parts/typography.ts";
import { InlineMessage } from "../message/inline-message.tsx";
import { useLiveEvents } from "../messages/events-query.ts";
import { logFile } from "../messages/log-csv.ts";
import { LogTop } from "../messages/log-top.tsx";
import {
  bounceBrief,
  bounceReason,
  type RecipientRow,
  rowsByRecipient,
} from "../messages/message-groups.ts";
import {
  type MessagesFragment,
  type MessagesSearch,
  pathOf,
  toLogQuery,
} from "../messages/messages-search.ts";

const route = getRouteApi("/frame/why");

const TO: ListColumn<RecipientRow> = {
  name: "To",
  cell: ({ recipient }) => recipient,
  width: "long",
};

const COLUMNS: readonly ListColumn<RecipientRow>[] = [
  { name: "Subject", cell: ({ last }) => subjectText(last.subject), width: "longest" },
  { name: "Outcome", cell: outcomeCell, width: "long" },
  agoColumn("Last event", ({ last }) => last.occurred_at),
];

interface WhyListProps {
  readonly search: MessagesSearch;
  readonly fragment: MessagesFragment;
  /** True: the rows may have different recipients, so a column names the recipient. */
  readonly hasTo?: boolean;
  /** Is shown in place of an empty list. */
  readonly nothing?: ReactNode;
}

export function WhyList({ search, fragment, hasTo = false, nothing = null }: WhyListProps) {
  const { open } = route.useSearch();
  const navigate = route.useNavigate();
  const onOpen = (id: string | null): void =>
    void navigate({
      search: id === null ? {} : { open: id },
      hash: true,
      replace: true,
      resetScroll: false,
    });
  const isReading = useCallback(() => open !== undefined || window.scrollY > 0, [open]);
  const live = useLiveEvents(search, fragment, isReading);
  const { list } = live;
  const rows = useMemo(() => rowsByRecipient(list.rows ?? []), [list.rows]);
  // The URL has the id of an event, because it must not have the recipient's address.
  const isOpen = (row: RecipientRow): boolean => row.events.some(({ id }) => id === open);
  return (
    <>
      <ExportStatus />
      <QueryResult query={list}>
        {() =>
          rows.length === 0 && nothing !== null ? (
            nothing
          ) : (
            <section className="panel" aria-label="Messages">
              <LogTop
                live={live}
                count={() => rows.length}
                noun="message"
                save={() => {
                  const now = Date.now();
                  void beginExport(logFile(toLogQuery(search, fragment, now), "messages", now));
                }}
              />
              <RecordList
                label="Messages"
                columns={hasTo ? [TO, ...COLUMNS] : COLUMNS}
                rows={rows}
                idOf={(row) => (isOpen(row) ? (open ?? "") : row.last.id)}
                open={open ?? null}
                onOpen={onOpen}
                detail={({ emailId, recipient }) => (
                  <InlineMessage emailId={emailId} recipient={recipient} />
                )}
                onEnd={list.more}
                isLoadingMore={list.isFetchingNextPage}
              />
              {list.retryMore && list.error && (
                <ErrorNotice error={list.error} retry={list.retryMore} />
              )}
            </section>
          )
        }
      </QueryResult>
      <AsRequest path={pathOf(toLogQuery(search, fragment, Date.now()), PAGE_ROWS)} />
    </>
  );
}

function outcomeCell(row: RecipientRow) {
  const { status, events } = row;
  const { smtp_code: code } = events.find(({ type }) => type === `email.${status}`) ?? {};
  const isRefusal = status === "bounced" || status === "delayed";
  return (
    <>
      <Status of={status} />{" "}
      <small title={bounceReason(row)}>
        {bounceBrief(row)} {isRefusal && code && <code>{code}</code>} {seenOf(row)}
      </small>
    </>
  );
}

function seenOf({ status, events }: RecipientRow): string {
  if (status !== "delivered") return "";
  const types = new Set(events.map(({ type }) => type));
  return (["email.opened", "email.clicked"] as const)
    .filter((type) => types.has(type))
    .map((type) => type.slice("email.".length))
    .join(", ");
}
