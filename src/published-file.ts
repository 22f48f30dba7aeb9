// Reads a file of public/api from the worker's static assets. `npm run client` makes these files
// from the endpoints table (tools/openapi). Only client-support.json comes from tools/caniemail.
import type { Env } from "./env.ts";

/** Returns the file's JSON. Throws if the deployment does not have the file. */
export async function publishedFile<Content>(
  { ASSETS }: Env,
  name: "openapi.json" | "tools.json" | "client-support.json",
): Promise<Content> {
  const file = await ASSETS.fetch(`https://assets/api/${name}`);
  if (!file.ok) throw new Error(`the static asset /api/${name} is missing: ${file.status}`);
  return file.json<Content>();
}
