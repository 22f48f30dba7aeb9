// One dead letter and its actions.
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { DeadLetter } from "../../api/operator/types.ts";
import { operatorApi } from "../../api/operator-api-client.ts";
import { queryClient } from "../../api/query-client.ts";
import { DangerButton, MainButton } from "../../parts/button.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { Facts } from "../../parts/list/facts.tsx";
import { TimeAgo } from "../../parts/time/time-ago.tsx";

export function LetterDetail({ letter }: { readonly letter: DeadLetter }) {
  const { id, body, error, attempts } = letter;
  return (
    <>
      <pre className="said">
        <span>{`Failed after ${attempts} attempts: `}</span>
        {error ?? "the error was not recorded"}
      </pre>
      <Facts
        facts={{
          ID: <code>{id}</code>,
          Job: body === null ? "Unknown format, not stored" : <code>{JSON.stringify(body)}</code>,
          Team: typeof body?.["teamId"] === "string" && (
            <Link to="/operator/teams/$teamId" params={{ teamId: body["teamId"] }}>
              {body["teamId"]}
            </Link>
          ),
          "First failed": <TimeAgo at={letter.first_failed_at} />,
          "Last failed": <TimeAgo at={letter.last_failed_at} />,
        }}
      />
      <LetterActs letter={letter} />
      <AsRequest of="requeue" method="POST" path={`/admin/dead-letters/${id}/requeue`} />
    </>
  );
}

function refresh(): void {
  void queryClient.invalidateQueries({ queryKey: ["operator", "dead-letters"] });
  void queryClient.invalidateQueries({ queryKey: ["operator", "metrics"] });
}

function LetterActs({ letter: { id, queue, body } }: { readonly letter: DeadLetter }) {
  const [isAsking, setAsking] = useState(false);
  const requeue = useMutation({
    mutationFn: () => operatorApi.deadLetters.requeue(id),
    onSuccess: refresh,
  });
  const remove = useMutation({
    mutationFn: () => operatorApi.deadLetters.delete(id),
    onSuccess: refresh,
    onSettled: () => setAsking(false),
  });
  const failure = requeue.error ?? remove.error;
  return (
    <>
      <div className="buttons">
        <MainButton
          disabled={body === null || requeue.isPending || requeue.isSuccess}
          onClick={() => requeue.mutate()}
        >
          Requeue
        </MainButton>
        <DangerButton onClick={() => setAsking(true)}>Delete dead letter</DangerButton>
      </div>
      <p className="muted" role="status">
        {requeue.isSuccess
          ? `Requeued in ${queue}.`
          : body === null
            ? "This job can’t be requeued, because its content was not stored."
            : "Requeuing runs the job again, without repeating work that is already done."}
      </p>
      {failure && <ErrorNotice error={failure} />}
      {isAsking && (
        <ConfirmDialog
          title={`Delete dead letter ${id}?`}
          action="Delete dead letter"
          request={remove}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>The job can’t be requeued after that.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
