// The changes of this page that can still be undone. When the tab is hidden or closed, they are
// sent immediately. The browser may end the tab without notice, and another tab may sign in to
// another team.
import { useSyncExternalStore } from "react";
import { cachedTeam } from "../../api/console-session.ts";
import { refreshSession } from "../../api/query-client.ts";
import { DelayedChanges, type DelayedChange } from "./delayed-changes.ts";

export const changes = new DelayedChanges(cachedTeam, refreshSession);

window.addEventListener("pagehide", () => void changes.sendAll());
document.addEventListener("visibilitychange", () => {
  if (document.hidden) void changes.sendAll();
});

/** Returns the signed-in team's changes that are pending, under way, or were just answered. */
export function useChanges(): readonly DelayedChange[] {
  const all = useSyncExternalStore(changes.subscribe, () => changes.all);
  const team = cachedTeam();
  return all.filter((one) => one.team === team);
}

/** Tells whether a change is pending or its request is under way. */
export function useIsChanging(name: string): boolean {
  return useChanges().some(
    ({ name: other, state }) =>
      other === name && (state.kind === "waiting" || state.kind === "sending"),
  );
}
