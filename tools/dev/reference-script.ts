// Copies Scalar's browser script to the worker's static assets (wrangler.toml,
// src/api/reference.ts). The script comes from Scalar's Fastify package. This package has the same
// script as `@scalar/api-reference`, with a tenth of the dependencies.
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import scalar from "@scalar/fastify-api-reference";

interface Route {
  readonly url: string;
  readonly handler: (request: unknown, reply: unknown) => unknown;
}

const FILE = join(import.meta.dirname, "../..", "public", "docs", "scalar.js");

// The package is a Fastify plugin that registers its routes on a Fastify object. This fake object
// only collects the routes.
const routes: Route[] = [];
const reply: Record<string, (value: unknown) => unknown> = {
  header: () => reply,
  send: (body) => body,
};
const register = scalar as unknown as (
  fastify: object,
  options: object,
  done: () => void,
) => unknown;
await register(
  { route: (route: Route) => routes.push(route) },
  { routePrefix: "/docs", configuration: { url: "/openapi.json" } },
  () => undefined,
);
const script = await routes.find(({ url }) => url === "/docs/js/scalar.js")?.handler({}, reply);
if (typeof script !== "string") throw new Error("Scalar's package contained no script");
// The file is written under another name and then renamed. Otherwise a process could read an
// incomplete file.
const unfinished = `${FILE}.${process.pid}`;
writeFileSync(unfinished, script);
renameSync(unfinished, FILE);
