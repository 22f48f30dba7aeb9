// The button of every page that lifts a suppression. The person can undo the lifting for ten
// seconds. Until then, the suppression still exists, with its reason and evidence.
import type { ReactNode } from "react";
import type { Suppression } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { ApiFailure } from "../../api/failure.ts";
import { queryClient } from "../../api/query-client.ts";
import { useMay } from "../../parts/permitted.tsx";
import { Pill } from "../../parts/pill.tsx";
import { changes, useIsChanging } from "../../parts/undo/undo.ts";
import { rememberLifted } from "./lifted-suppressions.ts";
import { dropFromLists } from "./loaded-suppressions.ts";
import { canBeNamed, liftText } from "./suppression-texts.ts";

export const LIFT = "DELETE /v1/suppressions/{email}/{topic}";

interface LiftSuppressionProps {
  readonly suppression: Suppression;
  /** True: the button is the page's main action. */
  readonly isMain?: boolean;
}

export function LiftSuppression({ suppression, isMain = false }: LiftSuppressionProps) {
  const { topic } = suppression;
  const name = changeName(suppression);
  const isLifting = useIsChanging(name);
  const mayLift = useMay(LIFT);
  if (!mayLift) return null;
  if (!canBeNamed(topic))
    return (
      <small>This suppression can’t be lifted on its own: a URL can’t contain its topic.</small>
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
  /** The content to show while no lifting is pending. */
  readonly children: ReactNode;
}

/** Shows "Lifting…" while the lifting of a suppression is pending. */
export function LiftingMark({ suppression, children }: LiftingMarkProps) {
  return useIsChanging(changeName(suppression)) ? <Pill tone="wait">Lifting…</Pill> : children;
}

function changeName({ id }: Suppression): string {
  return `lift ${id}`;
}

/**
 * Deletes a suppression. If another tab has already lifted it, the deletion counts as successful.
 */
export async function deleteSuppression(suppression: Suppression): Promise<void> {
  const { email, topic } = suppression;
  try {
    await api.suppressions.delete(email, topic);
  } catch (error) {
    if (!(error instanceof ApiFailure && error.status === 404)) throw error;
  }
  rememberLifted({ suppression, at: Date.now() });
  await Promise.all([
    dropFromLists({ email, topic }),
    ...["suppressions", "address", "email"].map((name) =>
      queryClient.invalidateQueries({ queryKey: [name] }),
    ),
  ]);
}
