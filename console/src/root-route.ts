// The root of all places, the teams' and the operator's, and how their pages are loaded.
import { createRootRoute, lazyRouteComponent, Outlet } from "@tanstack/react-router";
import { loadPart } from "./api/connection.ts";

export const root = createRootRoute({ component: Outlet });

/** A page that is loaded when it is first opened, if need be when the service answers again. */
export function lazyPage<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(() => loadPart(load), name);
}
