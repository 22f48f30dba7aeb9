// The root of all routes, and the lazy loading of their pages.
import { createRootRoute, lazyRouteComponent, Outlet } from "@tanstack/react-router";
import { loadPart } from "./api/connection.ts";

export const root = createRootRoute({ component: Outlet });

/**
 * A page that loads when it is first opened. If the service does not answer, it loads when the
 * service answers again.
 */
export function lazyPage<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(() => loadPart(load), name);
}
