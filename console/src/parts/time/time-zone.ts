// The displayed time zone: the reader's own, or UTC. This browser stores the choice.
import { useSyncExternalStore } from "react";

const NAME = "postern-zone";
export const OWN_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

const listeners = new Set<() => void>();

export function readZone(): string {
  return localStorage.getItem(NAME) === "UTC" ? "UTC" : OWN_ZONE;
}

export function chooseZone(zone: string): void {
  if (zone === "UTC") localStorage.setItem(NAME, zone);
  else localStorage.removeItem(NAME);
  for (const listener of listeners) listener();
}

/** Returns the chosen zone. A change updates all displayed times immediately, in every tab. */
export function useZone(): string {
  return useSyncExternalStore(listen, readZone);
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}
