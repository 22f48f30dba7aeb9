// Reschedules and cancels a scheduled message. Both actions ask for confirmation. A canceled
// message can't be restored. A message that is moved to a near time may be sent before anyone can
// undo the move.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Email } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { queryClient } from "../../api/query-client.ts";
import { Button, DangerButton } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { Permitted } from "../../parts/permitted.tsx";
import { ExactTime } from "../../parts/time/time-ago.tsx";
import { TimeField } from "../../parts/time/time-field.tsx";

export function ScheduleActions({ email }: { readonly email: Email }) {
  const { id, scheduled_at: scheduledAt } = email;
  const [asked, setAsked] = useState<"move" | "cancel" | null>(null);
  const isWaiting = email.recipients.some(({ status }) => status === "scheduled");
  if (scheduledAt === undefined || !isWaiting) return null;
  const act = { id, scheduledAt, onClose: () => setAsked(null) };
  return (
    <>
      <Permitted operation="PATCH /v1/email/{id}">
        <Button onClick={() => setAsked("move")}>Reschedule</Button>
      </Permitted>
      <Permitted operation="POST /v1/email/{id}/cancel">
        <DangerButton onClick={() => setAsked("cancel")}>Cancel message</DangerButton>
      </Permitted>
      {asked === "move" && <MoveMessage {...act} />}
      {asked === "cancel" && <CancelMessage {...act} />}
    </>
  );
}

interface ActProps {
  readonly id: string;
  /** ISO 8601. */
  readonly scheduledAt: string;
  readonly onClose: () => void;
}

function MoveMessage({ id, scheduledAt, onClose }: ActProps) {
  const [chosen, setChosen] = useState<string | undefined>(scheduledAt);
  const move = useMutation({
    mutationFn: (to: string) => api.emails.move(id, { scheduled_at: to }),
    onSuccess: () => refreshMessage(id, onClose),
  });
  return (
    <ConfirmDialog
      title="Reschedule this message?"
      action="Reschedule"
      isSafe
      request={move}
      isIncomplete={chosen === undefined}
      onConfirm={() => chosen !== undefined && move.mutate(chosen)}
      onClose={onClose}
    >
      <p>
        It is scheduled for <ExactTime at={scheduledAt} />. Choose a time within the next 30 days.
      </p>
      <TimeField label="New time" value={chosen} onChange={setChosen} />
    </ConfirmDialog>
  );
}

function CancelMessage({ id, scheduledAt, onClose }: ActProps) {
  const cancel = useMutation({
    mutationFn: () => api.emails.cancel(id),
    onSuccess: () => refreshMessage(id, onClose),
  });
  return (
    <ConfirmDialog
      title="Cancel this message?"
      action="Cancel message"
      dismiss="Keep scheduled"
      request={cancel}
      onConfirm={() => cancel.mutate()}
      onClose={onClose}
    >
      <p>
        It is scheduled for <ExactTime at={scheduledAt} />. Once canceled, it will not be sent. This
        can’t be undone.
      </p>
    </ConfirmDialog>
  );
}

function refreshMessage(id: string, done: () => void): void {
  done();
  void queryClient.invalidateQueries({ queryKey: ["email", id] });
  void queryClient.invalidateQueries({ queryKey: ["emails"] });
}
