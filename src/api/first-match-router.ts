// Finds the first registered route that matches a request. Paths without parameters are looked up
// in a map, because most requests have such a path. All other paths are searched in order.
import type { Result, Router } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";

const WITH_PARAMETERS = /[:*]/;

export class FirstMatchRouter<Route> implements Router<Route> {
  readonly name = "FirstMatchRouter";
  readonly #routes = new TrieRouter<Route>();
  readonly #methods = new Set<string>();
  /**
   * Routes of paths without parameters, by path and then by method. The first search for a path and
   * a method adds their route.
   */
  readonly #known = new Map<string, Map<string, Result<Route>>>();

  add(method: string, path: string, route: Route): void {
    this.#routes.add(method, path, route);
    this.#methods.add(method);
    if (!WITH_PARAMETERS.test(path)) this.#known.set(path, new Map());
  }

  match(method: string, path: string): Result<Route> {
    const known = this.#known.get(path);
    const found = known?.get(method) ?? this.#search(method, path);
    // Only methods that have a route are remembered, because clients can invent methods.
    if (known && this.#methods.has(method)) known.set(method, found);
    return found;
  }

  #search(method: string, path: string): Result<Route> {
    const [routes] = this.#routes.match(method, path) as [[Route, Record<string, string>][]];
    return [routes.slice(0, 1)];
  }
}
