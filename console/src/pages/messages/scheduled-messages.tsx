// Lists the scheduled messages of all campaigns or of one campaign, sorted by send time, the
// earliest first. A row opens the message, with buttons to reschedule and cancel it.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { ListedEmail } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { PAGE_ROWS, usePages } from "../../api/pages.ts";
import { DangerButton } from "../../parts/button.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { formatCount } from "../../parts/figures.ts";
import { ExactTime } from "../../parts/time/time-ago.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Permitted } from "../../parts/permitted.tsx";
import { PagedList } from "../../parts/list/paged-list.tsx";
import type { ListColumn } from "../../parts/list/record-list.tsx";
import { Select } from "../../parts/select.tsx";
import { subjectText } from "../../parts/typography.ts";
import { InlineMessage } from "../message/inline-message.tsx";
import {
  CancelCampaign,
  countText,
  messagesText,
  type CountedCampaign,
} from "./cancel-campaign.tsx";
import { readMessagesSearch } from "./messages-search.ts";
import { ViewChoice } from "./view-choice.tsx";

const route = getRouteApi("/frame/messages");

const COLUMNS: readonly ListColumn<ListedEmail>[] = [
  { name: "Subject", cell: ({ subject }) => subjectText(subject), width: "long" },
  { name: "To", cell: ({ recipients }) => recipients.join(", "), width: "long", isNaming: true },
  { name: "Campaign", cell: ({ campaign }) => campaign ?? "–", isSecondary: true },
  {
    name: "Accepted",
    cell: ({ created_at: at }) => <ExactTime at={at} />,
    isSecondary: true,
    width: "time",
  },
  {
    name: "Scheduled for",
    cell: ({ scheduled_at: at }) => at !== undefined && <ExactTime at={at} />,
    isNumber: true,
  },
];

export function ScheduledMessages() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { campaign } = search;
  const range = {
    status: "scheduled",
    order: "soonest",
    ...(campaign !== undefined && { campaign }),
  } as const;
  const list = usePages(["emails", "scheduled", campaign], (page) =>
    api.emails.list({ ...page, ...range }),
  );
  const go = (name: "open" | "campaign", value: string | null): void => {
    const { open: _open, [name]: _before, ...others } = search;
    void navigate({
      search: readMessagesSearch(value === null ? others : { ...others, [name]: value }),
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
        <CampaignBar chosen={campaign ?? null} onChoose={(name) => go("campaign", name)} />
        <PagedList
          query={list}
          empty={
            <EmptyState>
              No messages are scheduled{campaign !== undefined && ` for campaign ${campaign}`}.
              Messages sent with <code>scheduled_at</code> are listed here until they go out.
            </EmptyState>
          }
          label="Scheduled messages"
          columns={COLUMNS}
          open={search.open ?? null}
          onOpen={(id) => go("open", id)}
          detail={({ id }) => <InlineMessage emailId={id} />}
        />
        {list.retryMore && list.error && <ErrorNotice error={list.error} retry={list.retryMore} />}
      </section>
      <AsRequest
        path={`/v1/email?${new URLSearchParams({ ...range, limit: String(PAGE_ROWS) }).toString()}`}
      />
    </>
  );
}

interface CampaignBarProps {
  /** Null selects the messages of every campaign, and messages without a campaign. */
  readonly chosen: string | null;
  readonly onChoose: (campaign: string | null) => void;
}

/** Selects a campaign. A button cancels the selected campaign. */
function CampaignBar({ chosen, onChoose }: CampaignBarProps) {
  const { data } = useQuery({
    queryKey: ["emails", "campaigns"],
    queryFn: () => api.emails.listCampaigns(),
  });
  const [asked, setAsked] = useState<CountedCampaign | null>(null);
  const [canceled, setCanceled] = useState<{ campaign: string; messages: number } | null>(null);
  const campaigns = data?.data ?? [];
  const waiting = campaigns.find(({ campaign }) => campaign === chosen);
  return (
    <div className="state-bar">
      <Select
        aria-label="Campaign"
        value={chosen ?? ""}
        options={[
          ["", "All campaigns"],
          ...(chosen !== null && !waiting ? [[chosen, chosen] as const] : []),
          ...campaigns.map((one) => [one.campaign, `${one.campaign} (${countText(one)})`] as const),
        ]}
        onChoose={(value) => onChoose(value === "" ? null : value)}
      />
      {waiting && (
        <Permitted operation="POST /v1/email/cancel">
          <DangerButton onClick={() => setAsked(waiting)}>
            Cancel {messagesText(waiting)}
          </DangerButton>
        </Permitted>
      )}
      <p role="status">
        {canceled &&
          `${formatCount(canceled.messages)} ${canceled.messages === 1 ? "message" : "messages"} of campaign ${canceled.campaign} canceled.`}
      </p>
      {asked && (
        <CancelCampaign
          waiting={asked}
          onClose={(messages) => {
            setAsked(null);
            if (messages > 0) setCanceled({ campaign: asked.campaign, messages });
          }}
        />
      )}
    </div>
  );
}
