// Decides which deployment and key a command uses. The command line and the environment come first,
// then the last login, then the stack of `npm start` in this folder or above it.
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { CommandFailure, EXIT, wrongUsage } from "./exit-codes.ts";
import { readJson } from "./file-access.ts";
import { type ProcessEnvironment, readKeyFile } from "./key-file.ts";

export type ChosenDeployment = ReturnType<typeof chosenDeployment>;

interface StackFile {
  readonly api_url: string;
  readonly api_key: string;
}

/** Returns the deployment and key of a command. Throws a CommandFailure if either is missing. */
export function chosenDeployment(
  given: { readonly url: string | undefined; readonly key: string | undefined },
  environment: ProcessEnvironment,
) {
  const stack = localStack(environment);
  const named = given.url ?? environment["POSTERN_URL"];
  const key = given.key ?? environment["POSTERN_API_KEY"];
  const file = named !== undefined && key !== undefined ? undefined : readKeyFile(environment);
  const url = httpUrl("--url", named ?? file?.current ?? stack?.api_url ?? nowhere());
  const found = key ?? file?.keys[url] ?? (url === stack?.api_url ? stack.api_key : undefined);
  if (found === undefined)
    throw new CommandFailure(
      `no key for ${url}: run postern login --url ${url}, or set POSTERN_API_KEY`,
      EXIT.notPermitted,
    );
  if (!/^[\x21-\x7e]+$/.test(found)) throw wrongUsage("the key is not an API key");
  return { url, key: found };
}

/** Returns the URL without a final slash. Throws a CommandFailure if it is not http or https. */
export function httpUrl(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw wrongUsage(`${name} is not an http or https URL: ${text}`);
  return url.href.replace(/(?<!\/)\/+$/, "");
}

/**
 * Returns the running stack of `npm start`. Its state is in a folder below the project's folder.
 */
function localStack(environment: ProcessEnvironment): StackFile | undefined {
  const { POSTERN_STATE: state } = environment;
  if (state) return readStack(join(state, "dev.json"));
  for (let folder = resolve("."); ; folder = dirname(folder)) {
    const found = readStack(join(folder, ".postern", "dev.json"));
    if (found || folder === dirname(folder)) return found;
  }
}

function readStack(path: string): StackFile | undefined {
  return existsSync(path) ? (readJson(path) as StackFile) : undefined;
}

function nowhere(): never {
  throw new CommandFailure(
    "no stack runs here, and you are not logged in: run npm start, or " +
      "postern login --url https://…",
    EXIT.notPermitted,
  );
}
