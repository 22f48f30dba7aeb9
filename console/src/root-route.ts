// The root of all routes, and the lazy loading of their pages.
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  Outlet,
} from "@tanstack/react-router";
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

/** Returns a function that makes the route of a lazy page below `parent`. */
export function routesBelow<Parent extends AnyRoute>(parent: Parent) {
  return <
    const Path extends string,
    Module extends Record<string, unknown>,
    ReadSearch extends ((search: Record<string, unknown>) => object) | undefined = undefined,
  >(
    path: Path,
    load: () => Promise<Module>,
    name: keyof Module,
    validateSearch?: ReadSearch,
  ) =>
    createRoute({
      getParentRoute: () => parent,
      path,
      validateSearch,
      component: lazyPage(load, name),
    });
}
