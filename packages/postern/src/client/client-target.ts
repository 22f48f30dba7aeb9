// Decides which deployment and key a client uses: the caller's, or else those of the environment.
// Both are checked when the client is created, so that a missing setting shows before the first
// send.

const KEY_VARIABLE = "POSTERN_API_KEY";
const URL_VARIABLE = "POSTERN_URL";

interface Setting {
  /** Names the source of the setting, for error messages. */
  readonly name: string;
  readonly text: string;
}

/** Returns the API key. Throws a TypeError for a missing or malformed key. */
export function targetKey(given: string | undefined): string {
  const key = setting("the API key", given, KEY_VARIABLE);
  if (!key)
    throw new TypeError(`the API key is missing: new Postern("ps_…"), or set ${KEY_VARIABLE}`);
  // The characters that a header can carry. For a key with other characters, the error of `fetch`
  // would not mention the key.
  if (!/^[\x21-\x7e]+$/.test(key.text))
    throw new TypeError(`${key.name} has a space, a line break or a character that is not ASCII`);
  return key.text;
}

/**
 * Returns the deployment's URL without a final slash and without `/v1`, because the API's paths
 * begin with `/v1`. Throws a TypeError for a missing or malformed URL.
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

/**
 * Returns the caller's value, or else the value of the environment variable. Throws a TypeError for
 * an empty value.
 */
function setting(name: string, given: unknown, variable: string): Setting | undefined {
  const [source, text] = given === undefined ? [variable, environment()[variable]] : [name, given];
  if (text === undefined) return undefined;
  if (typeof text !== "string") throw new TypeError(`${source} is not a string`);
  if (text.trim() === "") throw new TypeError(`${source} is empty`);
  return { name: source, text };
}

/**
 * The environment variables of the process. Browsers have none, and neither do Workers without
 * `nodejs_compat`.
 */
function environment(): Readonly<Record<string, string | undefined>> {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  };
  return process?.env ?? {};
}
