// The changes of this page that can still be undone. A tab that is hidden or closed makes them at
// once: a browser may end it without another word, and another tab may sign in to another team.
import { useSyncExternalStore } from "react";
import { keptTeam } from "../../api/console-session.ts";
import { noteFailure } from "../../api/query-client.ts";
import { DelayedChanges, type DelayedChange } from "./delayed-changes.ts";

export const changes = new DelayedChanges(keptTeam, noteFailure);

window.addEventListener("pagehide", () => void changes.sendAll());
document.addEventListener("visibilitychange", () => {
  if (document.hidden) void changes.sendAll();
});

/** Returns the changes of the team that is signed in. */
export function useChanges(): readonly DelayedChange[] {
  const all = useSyncExternalStore(changes.subscribe, () => changes.all);
  const team = keptTeam();
  return all.filter((one) => one.team === team);
}

/** True while a change waits or its request is on the way. */
export function useIsChanging(name: string): boolean {
  return useChanges().some(
    ({ name: other, state }) =>
      other === name && (state.kind === "waiting" || state.kind === "sending"),
  );
}
