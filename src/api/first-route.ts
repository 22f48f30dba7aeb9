// Finds the one route of a request: the first in the order of registration that fits. Paths without
// parameters are looked up in a map, since most requests have one, and only others are searched.
import type { Result, Router } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";

const WITH_PARAMETERS = /[:*]/;

export class FirstRoute<Route> implements Router<Route> {
  readonly name = "FirstRoute";
  readonly #routes = new TrieRouter<Route>();
  readonly #methods = new Set<string>();
  /** Path without parameters → method → its route, once that was searched. */
  readonly #known = new Map<string, Map<string, Result<Route>>>();

  add(method: string, path: string, route: Route): void {
    this.#routes.add(method, path, route);
    this.#methods.add(method);
    if (!WITH_PARAMETERS.test(path)) this.#known.set(path, new Map());
  }

  match(method: string, path: string): Result<Route> {
    const known = this.#known.get(path);
    const found = known?.get(method) ?? this.#search(method, path);
    // Clients can invent methods, so only those of routes are remembered.
    if (known && this.#methods.has(method)) known.set(method, found);
    return found;
  }

  #search(method: string, path: string): Result<Route> {
    const [routes] = this.#routes.match(method, path) as [[Route, Record<string, string>][]];
    return [routes.slice(0, 1)];
  }
}
