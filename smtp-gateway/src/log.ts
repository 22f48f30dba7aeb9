// One JSON line an entry on stderr. Callers pass keys, domains and hosts: never a local part, a server's text (it quotes addresses) or a body.

type Fields = Record<string, string | number | boolean | null>;

export const LOG_LEVELS = ["info", "warning", "error", "none"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Longer than one may be, and bounded so that the search is linear. */
const LOCAL_PART = /[^\s@<>()[\],;:"'`]{1,128}@/g;

let least: LogLevel = "info";

/** What is less grave than `level` is not written from now on. */
export function logFrom(level: LogLevel): void {
  least = level;
}

export function log(level: "info" | "warning" | "error", event: string, fields: Fields = {}): void {
  if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(least)) return;
  process.stderr.write(`${JSON.stringify({ at: new Date().toISOString(), level, event, ...fields }, masked)}\n`);
}

/** Takes local parts out of what an error says. */
function masked(_name: string, value: unknown): unknown {
  return typeof value === "string" ? value.replace(LOCAL_PART, "***@") : value;
}
