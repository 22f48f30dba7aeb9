// Cancels all scheduled messages of a campaign. It asks for confirmation and shows its progress.
// Closing the dialog stops it.
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { WaitingCampaigns } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { pause } from "../../api/request-pace.ts";
import { queryClient } from "../../api/query-client.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { formatCount } from "../../parts/figures.ts";
import { ExactTime } from "../../parts/time/time-ago.tsx";
import { CANCEL_PAUSE_MS, runCancel } from "./cancel-run.ts";

export type CountedCampaign = WaitingCampaigns["data"][number];

/** Writes `1,200 messages`, or `10,000+ messages` if the count stopped at its limit. */
export function messagesText(campaign: CountedCampaign): string {
  const isOne = campaign.messages === 1 && campaign.is_complete;
  return `${countText(campaign)} ${isOne ? "message" : "messages"}`;
}

export function countText({ messages, is_complete: isComplete }: CountedCampaign): string {
  return formatCount(messages) + (isComplete ? "" : "+");
}

interface CancelCampaignProps {
  /** The campaign's count when the dialog opened. */
  readonly waiting: CountedCampaign;
  /**
   * Closes the dialog. `canceled` is the number of canceled messages, even if the run was stopped.
   */
  readonly onClose: (canceled: number) => void;
}

export function CancelCampaign({ waiting, onClose }: CancelCampaignProps) {
  const { campaign, messages, first_at: firstAt, last_at: lastAt } = waiting;
  const [done, setDone] = useState(0);
  const stop = useRef(new AbortController());
  const run = useMutation({
    mutationFn: () =>
      runCancel({
        cancelNext: () => api.emails.cancelCampaign({ campaign }),
        onProgress: setDone,
        pause: () => pause(CANCEL_PAUSE_MS),
        signal: stop.current.signal,
        before: done,
      }),
    onSuccess: onClose,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["emails"] }),
  });
  useEffect(() => {
    const current = new AbortController();
    stop.current = current;
    return () => current.abort();
  }, []);
  const all = messagesText(waiting);
  return (
    <ConfirmDialog
      title={`Cancel ${all} scheduled for campaign ${campaign}?`}
      action={run.error ? "Continue" : `Cancel ${all}`}
      dismiss={run.isPending ? "Stop" : done > 0 ? "Close" : "Keep scheduled"}
      request={run}
      onConfirm={() => run.mutate()}
      onClose={() => onClose(done)}
    >
      <p>
        They are scheduled between <ExactTime at={firstAt} /> and <ExactTime at={lastAt} />.
        Canceled messages are not sent. This can’t be undone.
      </p>
      {(run.isPending || done > 0) && (
        <>
          <progress aria-label="Canceled" max={Math.max(messages, done)} value={done} />
          <p role="status">
            {formatCount(done)} of {countText(waiting)} canceled
          </p>
        </>
      )}
    </ConfirmDialog>
  );
}
