// Lifts all chosen suppressions of the list. It asks for confirmation, with the number of
// suppressions for each reason, and shows its progress. Closing the dialog stops it.
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Suppression } from "../../../../packages/postern/src/generated/types.ts";
import { pause } from "../../api/request-pace.ts";
import { SmallButton, TextButton } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { formatCount, plural } from "../../parts/figures.ts";
import { deleteSuppression } from "../message/lift-suppression.tsx";
import { canBeNamed, reasonName } from "../message/suppression-texts.ts";

interface LiftChosenProps {
  /** The loaded rows. */
  readonly rows: readonly Suppression[];
  readonly chosen: readonly Suppression[];
  readonly onChosen: (ids: readonly string[]) => void;
}

export function LiftChosen({ rows, chosen, onChosen }: LiftChosenProps) {
  const [isAsked, setAsked] = useState(false);
  if (chosen.length === 0) return null;
  const isAll = chosen.length === rows.length;
  return (
    <div className="chosen" role="status">
      <span>{formatCount(chosen.length)} chosen</span>
      <SmallButton onClick={() => setAsked(true)}>
        Lift {plural(chosen.length, "suppression", "suppressions")}
      </SmallButton>
      <TextButton onClick={() => onChosen(isAll ? [] : rows.map(({ id }) => id))}>
        {isAll ? "Choose none" : `Choose all ${formatCount(rows.length)} loaded`}
      </TextButton>
      {isAsked && (
        <LiftDialog
          chosen={chosen}
          onClose={() => {
            setAsked(false);
            onChosen([]);
          }}
        />
      )}
    </div>
  );
}

interface LiftDialogProps {
  readonly chosen: readonly Suppression[];
  readonly onClose: () => void;
}

function LiftDialog({ chosen, onClose }: LiftDialogProps) {
  // The list drops lifted rows. The dialog keeps all rows that it started with.
  const [all] = useState(() => chosen.filter(({ topic }) => canBeNamed(topic)));
  const [done, setDone] = useState(0);
  const isStopped = useRef(false);
  const run = useMutation({
    mutationFn: async () => {
      for (const [at, one] of all.entries()) {
        if (isStopped.current) return;
        if (at < done) continue;
        await deleteSuppression(one);
        setDone(at + 1);
        await pause();
      }
    },
    onSuccess: onClose,
  });
  const reasons = [...Map.groupBy(all, ({ reason }) => reason)].map(
    ([reason, own]) => `${reasonName(reason)}: ${formatCount(own.length)}`,
  );
  return (
    <ConfirmDialog
      title={`Lift ${plural(all.length, "suppression", "suppressions")}?`}
      action={run.error ? "Continue" : "Lift"}
      dismiss={run.isPending ? "Stop" : "Cancel"}
      request={run}
      onConfirm={() => run.mutate()}
      onClose={() => {
        isStopped.current = true;
        onClose();
      }}
    >
      <p>
        {reasons.join(", ")}. Mail to these addresses is sent again. People who complained or
        unsubscribed asked to get no more mail.
      </p>
      {(run.isPending || done > 0) && (
        <>
          <progress aria-label="Lifted" max={all.length} value={done} />
          <p role="status">
            {formatCount(done)} of {formatCount(all.length)} lifted
          </p>
        </>
      )}
    </ConfirmDialog>
  );
}
