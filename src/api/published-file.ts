// Reads what `npm run client` makes of the endpoints table (tools/openapi) and writes to
// public/api, from where it is a static asset of the worker.
import type { Env } from "../env.ts";

/** Throws where the deployment has no such file. */
export async function publishedFile<Content>(
  { ASSETS }: Env,
  name: "openapi.json" | "tools.json",
): Promise<Content> {
  const file = await ASSETS.fetch(`https://assets/api/${name}`);
  if (!file.ok) throw new Error(`the static asset /api/${name} is missing: ${file.status}`);
  return file.json<Content>();
}
