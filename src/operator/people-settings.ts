// The settings for people who sign in to the console by Cloudflare Access (docs/people.md), as a
// part of the table of settings. Pure.
import type { SettingEntry } from "./setting-form.ts";

export const PEOPLE_SETTINGS = {
  ACCESS_ISSUER: {
    form: { kind: "url" },
    meaning:
      "the URL of the Cloudflare Access team, such as `https://acme.cloudflareaccess.com`, if " +
      "[people sign in](people.md) to the console. Without it, keys sign in",
    question:
      "URL of your Cloudflare Access team, for people who sign in to the console, such as " +
      "https://acme.cloudflareaccess.com (empty: keys sign in; docs/people.md)",
  },
  ACCESS_AUDIENCE: {
    form: {
      kind: "pattern",
      pattern: /^[0-9A-Za-z_-]{8,128}$/,
      must: "be the tag of an Access application",
    },
    meaning: "the audience tag (AUD) of the Access application in front of `/console`",
    question: "Audience tag (AUD) of the Access application in front of /console",
  },
  CONSOLE_URL: {
    form: { kind: "url" },
    meaning:
      "the URL of the host at which Access stands in front of `/console`. Without it: `PUBLIC_URL`",
    question: "URL of the host of the console (empty: the public URL)",
  },
  CONSOLE_KEYS: {
    form: { kind: "flag" },
    standard: "true",
    meaning:
      "`false`: only people sign in to the console, as soon as one of them has " +
      "([people.md](people.md#keys))",
  },
  NOTICES_TEAM: {
    form: { kind: "pattern", pattern: /^team_[0-9a-f-]{36}$/, must: "be the id of a team" },
    meaning:
      "the team of the operator that sends [invitations](people.md#invite) by mail. Without it: " +
      "an invitation is a link to copy",
    question: "Id of your team that sends invitations by mail (empty: they are links to copy)",
  },
  NOTICES_FROM: {
    form: { kind: "pattern", pattern: /^[^\s@]{1,64}@[^\s@]{1,253}$/, must: "be a mail address" },
    meaning: "the sender of invitations, at a verified domain of the team `NOTICES_TEAM`",
    question: "The sender of invitations, at a verified domain of that team",
  },
} as const satisfies Readonly<Record<string, SettingEntry>>;
