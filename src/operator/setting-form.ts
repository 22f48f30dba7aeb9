// The forms that a setting's value may have, and the check of a value. The worker, set-up and the
// documentation use the same forms (docs/settings.md). Pure.
import { decodeBase64 } from "../lib/crypto/base64.ts";

export type SettingForm =
  | { readonly kind: "text"; readonly least?: number }
  | { readonly kind: "pattern"; readonly pattern: RegExp; readonly must: string }
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  | { readonly kind: "flag" }
  | { readonly kind: "number"; readonly least: number; readonly most?: number }
  /** A port to which Workers can connect. */
  | { readonly kind: "port" }
  /** A key of `bytes` bytes, in base64. */
  | { readonly kind: "key"; readonly bytes: number }
  | { readonly kind: "url" }
  /** One or more URLs, separated by commas. */
  | { readonly kind: "urls" };

export interface SettingEntry {
  readonly form: SettingForm;
  /** The worker's default. Absent: the setting has no default. */
  readonly standard?: string;
  /** One sentence for docs/settings.md, in Markdown. */
  readonly meaning: string;
  /** The variable's value in the published wrangler.toml. Set-up always sets such a variable. */
  readonly shipped?: string;
  /** The question that `npm run setup` asks. */
  readonly question?: string;
  /** The description at the Deploy to Cloudflare button, in Markdown. */
  readonly button?: string;
  /** Present for a secret. Logs redact secrets, and wrangler stores them separately. */
  readonly secret?: {
    /** The example and its comment in .dev.vars.example. */
    readonly example?: readonly [value: string, comment: string];
  };
}

const HIGHEST_PORT = 65_535;
/** The port of mail servers, to which Workers cannot connect. */
const SMTP_PORT = 25;

/**
 * Returns the problem of a value, as a text that follows the setting's name (`must be …`). Null:
 * the value is valid. The text never contains the value, which may be a secret.
 */
export function formProblem(form: SettingForm, value: string): string | null {
  return hasForm(form, value) ? null : `must ${valid(form)}`;
}

/** Describes the valid values, for documentation. Empty: every text is valid. */
export function describeForm(form: SettingForm): string {
  return form.kind === "text" && form.least === undefined
    ? ""
    : valid(form).replace(/^(?:be|have) /, "");
}

function hasForm(form: SettingForm, value: string): boolean {
  switch (form.kind) {
    case "text":
      return value.length >= (form.least ?? 0);
    case "pattern":
      return form.pattern.test(value);
    case "choice":
      return form.choices.includes(value);
    case "flag":
      return value === "true" || value === "false";
    case "number": {
      const number = Number(value);
      return number >= form.least && number <= (form.most ?? Number.POSITIVE_INFINITY);
    }
    case "port": {
      const port = /^\d+$/.test(value) ? Number(value) : 0;
      return port >= 1 && port <= HIGHEST_PORT && port !== SMTP_PORT;
    }
    case "key":
      return decodeBase64(value)?.length === form.bytes;
    case "url":
      return isWebUrl(value);
    case "urls": {
      const urls = listedUrls(value);
      const hasUser = (url: string): boolean => URL.parse(url)?.username !== "";
      return urls.length > 0 && urls.every((url) => isWebUrl(url) && !hasUser(url));
    }
  }
}

function valid(form: SettingForm): string {
  switch (form.kind) {
    case "text":
      return `have at least ${form.least ?? 0} characters`;
    case "pattern":
      return form.must;
    case "choice":
      return `be one of ${form.choices.join(", ")}`;
    case "flag":
      return "be true or false";
    case "number":
      return form.most === undefined
        ? `be a number of at least ${form.least}`
        : `be a number from ${form.least} to ${form.most}`;
    case "port":
      return "be a port such as 587, 465 or 2525; port 25 is closed to Workers";
    case "key":
      return `be ${form.bytes} bytes in base64`;
    case "url":
      return "be an http or https URL";
    case "urls":
      return "be one or more http or https URLs, separated by commas";
  }
}

/** Splits a list of URLs. Removes duplicates and final slashes. */
export function listedUrls(value: string): string[] {
  const urls = value.split(",").map((url) => url.trim().replace(/\/$/, ""));
  return [...new Set(urls.filter((url) => url !== ""))];
}

function isWebUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "";
}
