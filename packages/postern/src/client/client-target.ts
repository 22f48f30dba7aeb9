// Decides which deployment a client speaks to, and with which key: the caller's own, or else those
// of the process's environment. Both are judged when the client is made, so that a setting that was
// forgotten is not found out by the first send.

const KEY_VARIABLE = "POSTERN_API_KEY";
const URL_VARIABLE = "POSTERN_URL";

interface Setting {
  /** Names the setting's source, for errors. */
  readonly name: string;
  readonly text: string;
}

/** Returns the API key. Throws a TypeError for one that is missing or can't be a key. */
export function targetKey(given: string | undefined): string {
  const key = setting("the API key", given, KEY_VARIABLE);
  if (!key)
    throw new TypeError(`the API key is missing: new Postern("ps_…"), or set ${KEY_VARIABLE}`);
  // A header can't carry the others, and `fetch` would say so without a word about the key.
  if (!/^[\x21-\x7e]+$/.test(key.text))
    throw new TypeError(`${key.name} has a space, a line break or a character that is not ASCII`);
  return key.text;
}

/**
 * Returns the deployment's URL without a final slash and without `/v1`, with which the paths of the
 * API begin. Throws a TypeError for one that is missing or not such a URL.
 */
export function targetUrl(given: string | undefined): string {
  const base = setting("baseUrl", given, URL_VARIABLE);
  if (!base)
    throw new TypeError(
      `the deployment's URL is missing: { baseUrl: "https://…" }, or set ${URL_VARIABLE}`,
    );
  const { name, text } = base;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError(`${name} is not an http or https URL: ${text}`);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new TypeError(`${name} has more than a host and a path: ${url.origin}`);
  const folders = url.pathname.split("/").filter((folder) => folder !== "");
  if (folders.at(-1) === "v1") folders.pop();
  return [url.origin, ...folders].join("/");
}

/** Returns what the caller gave, or else the variable. Throws a TypeError for an empty one. */
function setting(name: string, given: unknown, variable: string): Setting | undefined {
  const [source, text] = given === undefined ? [variable, environment()[variable]] : [name, given];
  if (text === undefined) return undefined;
  if (typeof text !== "string") throw new TypeError(`${source} is not a text`);
  if (text.trim() === "") throw new TypeError(`${source} is empty`);
  return { name: source, text };
}

/** The process's variables. A browser has no process, nor has a Worker without `nodejs_compat`. */
function environment(): Readonly<Record<string, string | undefined>> {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  };
  return process?.env ?? {};
}
