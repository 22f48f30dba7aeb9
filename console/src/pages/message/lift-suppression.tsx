// Lifts a suppression, in the same way wherever one is shown. It can be undone for ten seconds, in
// which it stays as it is, with its reason and its evidence.
import type { ReactNode } from "react";
import type { Suppression } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { ApiFailure } from "../../api/failure.ts";
import { queryClient } from "../../api/query-client.ts";
import { Pill } from "../../parts/pill.tsx";
import { changes, useIsChanging } from "../../parts/undo/undo.ts";
import { noteLifted } from "./lifted-suppressions.ts";
import { dropFromLists } from "./loaded-suppressions.ts";
import { canBeNamed, liftText } from "./suppression-texts.ts";

interface LiftSuppressionProps {
  readonly suppression: Suppression;
  /** True: it is the page's main act. */
  readonly isMain?: boolean;
}

export function LiftSuppression({ suppression, isMain = false }: LiftSuppressionProps) {
  const { topic } = suppression;
  const name = changeName(suppression);
  const isLifting = useIsChanging(name);
  if (!canBeNamed(topic))
    return (
      <small>A URL can’t contain this topic, so its suppression can’t be lifted separately.</small>
    );
  const lift = (): void =>
    changes.add({
      name,
      ...liftText(suppression),
      now: "Lift now",
      send: () => deleteSuppression(suppression),
    });
  const action = topic === "*" ? "Lift suppression" : `Lift suppression for topic ${topic}`;
  return (
    <button
      type="button"
      className={isMain ? "btn main" : "btn"}
      disabled={isLifting}
      onClick={lift}
    >
      {isLifting ? "Lifting…" : action}
    </button>
  );
}

interface LiftingMarkProps {
  readonly suppression: Suppression;
  /** Stands there at other times. */
  readonly children: ReactNode;
}

/** Marks a suppression that is about to be lifted. */
export function LiftingMark({ suppression, children }: LiftingMarkProps) {
  return useIsChanging(changeName(suppression)) ? <Pill tone="wait">Lifting…</Pill> : children;
}

function changeName({ id }: Suppression): string {
  return `lift ${id}`;
}

/** A suppression that another tab has lifted meanwhile is lifted. */
async function deleteSuppression(suppression: Suppression): Promise<void> {
  const { email, topic } = suppression;
  try {
    await api.suppressions.delete(email, topic);
  } catch (error) {
    if (!(error instanceof ApiFailure && error.status === 404)) throw error;
  }
  noteLifted({ suppression, at: Date.now() });
  await Promise.all([
    dropFromLists({ email, topic }),
    ...["suppressions", "address", "email"].map((name) =>
      queryClient.invalidateQueries({ queryKey: [name] }),
    ),
  ]);
}
