// Checks answers before set-up uses them. A rule returns the problem as a text that follows the
// setting's name, or null if the answer is valid. If the worker's own check suffices, the rule is
// the form in src/operator/setting-table.ts.
import { isIP } from "node:net";
import { isSpfRecord } from "../../src/operator/mail-records.ts";

export type Rule = (value: string) => string | null;

const HOST_NAME =
  /^(?=.{3,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;
/**
 * Maximum length of the service domain. It leaves space for the longest labels before it: `ps1.`,
 * 16 characters and `.return-path.`.
 */
const SERVICE_DOMAIN_CHARACTERS = 200;
const PLACEHOLDER = /(?:^|\.)postern\.example$/;
const TEAM_NAME_CHARACTERS = 200;

export const hostName: Rule = (value) => {
  if (!HOST_NAME.test(value)) return "must be a host name in lower case, such as mail.example.com";
  return PLACEHOLDER.test(value) ? "is still the example's name" : null;
};

export const serviceDomain: Rule = (value) =>
  value.length > SERVICE_DOMAIN_CHARACTERS
    ? `must be at most ${SERVICE_DOMAIN_CHARACTERS} characters, because labels are put before it`
    : hostName(value);

/** Accepts one or more host names, separated by commas. */
export const hostNames: Rule = (value) => firstProblem(value, hostName);

export const webUrl: Rule = (value) => {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "")
    return "must be an http or https URL without a query";
  if (url.username !== "" || url.password !== "")
    return "must not contain a user name or a password";
  if (PLACEHOLDER.test(url.hostname)) return "is still the example's URL";
  return url.protocol === "http:" && !isLocal(url.hostname)
    ? "must be https, because secrets and mail are sent to it"
    : null;
};

/** Accepts one or more URLs, separated by commas. */
export const webUrls: Rule = (value) => firstProblem(value, webUrl);

export const spf: Rule = (value) => {
  if (!isSpfRecord(value)) return "must begin with v=spf1";
  return /^[\x20-\x7e]{1,450}$/.test(value) && !/["\\]/.test(value)
    ? null
    : "must be at most 450 printable ASCII characters without quotes";
};

export const token: Rule = (value) =>
  /^[\x21-\x7e]+$/.test(value) ? null : "must be visible ASCII characters without spaces";

export const zoneId: Rule = (value) =>
  /^[0-9a-f]{32}$/.test(value)
    ? null
    : "must be 32 hexadecimal digits, as the zone's overview page shows them";

export const mailAddress: Rule = (value) =>
  /^[^\s@<>"(),:;[\\\]]{1,64}@[^\s@]{1,253}$/.test(value) &&
  hostName(value.slice(value.lastIndexOf("@") + 1).toLowerCase()) === null
    ? null
    : "must be a mail address, such as postmaster@example.com";

export const teamName: Rule = (value) =>
  value.length >= 1 && value.length <= TEAM_NAME_CHARACTERS
    ? null
    : `must be 1 to ${TEAM_NAME_CHARACTERS} characters`;

/** Splits a list at its commas, and removes duplicates. */
export function splitList(value = ""): string[] {
  const parts = value.split(",").map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== ""))];
}

function firstProblem(value: string, rule: Rule): string | null {
  const parts = splitList(value);
  return parts.length === 0
    ? "must not be empty"
    : (parts.map(rule).find((problem) => problem !== null) ?? null);
}

/** Tells whether the host is this machine. */
export function isLocal(host: string): boolean {
  return host === "localhost" || host === "[::1]" || (isIP(host) === 4 && host.startsWith("127."));
}
