// Lifts a suppression. It asks, because one that a bounce or a complaint made can't be put back as
// it was.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Suppression } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { queryClient } from "../../api/query-client.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";

interface LiftSuppressionProps {
  readonly suppression: Suppression;
  readonly onLifted: () => void;
}

export function LiftSuppression({ suppression, onLifted }: LiftSuppressionProps) {
  const { email, topic, origin, explanation } = suppression;
  const [isAsking, setAsking] = useState(false);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.suppressions.delete(email, topic),
    onSuccess: () => {
      setAsking(false);
      onLifted();
      for (const name of ["suppressions", "address", "email"])
        void queryClient.invalidateQueries({ queryKey: [name] });
    },
  });
  const action = topic === "*" ? "Lift suppression" : `Lift suppression for ${topic}`;
  return (
    <>
      <button type="button" className="btn main" onClick={() => setAsking(true)}>
        {action}
      </button>
      {isAsking && (
        <ConfirmDialog
          title={`Lift the suppression of ${email}?`}
          action={action}
          error={error}
          isBusy={isPending}
          onConfirm={() => mutate()}
          onClose={() => setAsking(false)}
        >
          <p>
            {explanation.summary} {explanation.next}
          </p>
          <p>
            The next message to the address is tried.{" "}
            {origin === "auto"
              ? "This can't be undone: only another bounce, complaint or unsubscription brings it back as it was."
              : "It can be put back by hand, from that moment on."}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
