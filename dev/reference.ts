// Puts Scalar's browser script where the worker's static assets are (wrangler.toml, src/api/reference.ts). It is taken from Scalar's package for Fastify,
// which carries it as it is published but installs a tenth of what `@scalar/api-reference` does; through Fastify, since that is its interface.
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import scalar from "@scalar/fastify-api-reference";
import { fastify } from "fastify";

const FILE = join(import.meta.dirname, "..", "public", "docs", "scalar.js");

const server = fastify();
await server.register(scalar, { routePrefix: "/docs", configuration: { url: "/openapi.json" } });
const { statusCode, rawPayload } = await server.inject("/docs/js/scalar.js");
if (statusCode !== 200) throw new Error(`Scalar's package gave no script: ${statusCode}`);
// Never half a file where another process may look.
const unfinished = `${FILE}.${process.pid}`;
writeFileSync(unfinished, rawPayload);
renameSync(unfinished, FILE);
