// Writes the log to stderr, one JSON object per line. Callers pass keys, domains and hosts. They
// never pass a local part, a body or a server's text, which may contain addresses. Several lines go
// out in one write, because a write for each line would take a sixth of the gateway's time.

type Fields = Record<string, string | number | boolean | null>;

export const LOG_LEVELS = ["info", "warning", "error", "none"] as const;

export type GatewayLogLevel = (typeof LOG_LEVELS)[number];

/**
 * Matches a local part and its @. A local part has at most 64 characters, so 128 are enough. This
 * maximum keeps the search linear.
 */
const LOCAL_PART = /[^\s@<>()[\],;:"'`]{1,128}@/g;

/**
 * Lines wait for at most GATHER_MS milliseconds, or until they have GATHER_CHARACTERS together, so
 * that several go out in one write. Lines of the level `error` do not wait.
 */
const GATHER_MS = 20;
const GATHER_CHARACTERS = 32 * 1024;

/** Matches a text that JSON does not escape and that has no @, so it contains no mail address. */
const PLAIN = /^[ !#-?A-[\]-~]*$/;

let minimumLevel: GatewayLogLevel = "info";
let buffered = "";
/** True: the last write may have ended inside a line. */
let isTorn = false;
/**
 * `second`: the second (Unix time) of the last timestamp. `secondPrefix`: the text with which every
 * timestamp of this second begins.
 */
let second = 0;
let secondPrefix = "";
let timer: NodeJS.Timeout | undefined;

process.on("exit", write);
// If the log can't be written (full disk, closed pipe), lines are lost and the gateway continues.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {
  isTorn = true;
});

/** Sets the lowest level that is logged. Lines with a lower level are dropped. */
export function setLogLevel(level: GatewayLogLevel): void {
  minimumLevel = level;
}

/** Writes one line. `event` is the line's name, which dashboards and alerts use. */
export function log(level: "info" | "warning" | "error", event: string, fields: Fields = {}): void {
  if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(minimumLevel)) return;
  let line = `{"at":"${timestamp()}","level":"${level}","event":"${event}"`;
  for (const [name, value] of Object.entries(fields)) line += `,"${name}":${toJson(value)}`;
  buffered += `${line}}\n`;
  if (level === "error" || buffered.length > GATHER_CHARACTERS) write();
  else timer ??= setTimeout(write, GATHER_MS).unref();
}

/** Returns the stack of an error, for an internal error that the log records. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function write(): void {
  clearTimeout(timer);
  timer = undefined;
  if (buffered === "") return;
  const lines = isTorn ? `\n${buffered}` : buffered;
  buffered = "";
  isTorn = false;
  process.stderr.write(lines);
}

/**
 * Returns the current time in the form of Date's toISOString(), which would take a third of the
 * log's time.
 */
function timestamp(): string {
  const now = Date.now();
  if (Math.floor(now / 1_000) !== second) {
    second = Math.floor(now / 1_000);
    secondPrefix = new Date(now).toISOString().slice(0, -4);
  }
  return `${secondPrefix}${String(now % 1_000).padStart(3, "0")}Z`;
}

/**
 * Encodes a value as JSON and removes local parts of addresses, which an error's text may contain.
 */
function toJson(value: Fields[string]): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return PLAIN.test(value) ? `"${value}"` : JSON.stringify(value.replace(LOCAL_PART, "***@"));
}
