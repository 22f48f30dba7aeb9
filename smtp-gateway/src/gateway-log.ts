// Logs to stderr, one JSON object per line. Callers pass keys, domains and hosts, but never a local
// part, a body or a server's text, which may quote addresses. Several lines are written at once: a
// write for each line would take a sixth of the gateway's time.

type Fields = Record<string, string | number | boolean | null>;

export const LOG_LEVELS = ["info", "warning", "error", "none"] as const;

export type GatewayLogLevel = (typeof LOG_LEVELS)[number];

/**
 * Matches up to 128 characters, because a local part has at most 64. The bound keeps the search
 * linear.
 */
const LOCAL_PART = /[^\s@<>()[\],;:"'`]{1,128}@/g;

/** Lines are gathered for at most this long and up to this size. An error is written at once. */
const GATHER_MS = 20;
const GATHER_CHARACTERS = 32 * 1024;

/** Matches a text that needs no escaping in JSON and holds no address. */
const PLAIN = /^[ !#-?A-[\]-~]*$/;

let minimumLevel: GatewayLogLevel = "info";
let buffered = "";
/** True: the last write may have left half a line. */
let isTorn = false;
/** A second of Unix time, and the text with which all its timestamps begin. */
let second = 0;
let secondPrefix = "";
let timer: NodeJS.Timeout | undefined;

process.on("exit", write);
// If the log can't be written (a full disk, a reader that is gone), lines are lost, but the gateway
// must not stop.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {
  isTorn = true;
});

/** Drops entries below `level` from now on. */
export function setLogLevel(level: GatewayLogLevel): void {
  minimumLevel = level;
}

/** Writes one entry. `event` is its name, which dashboards and alerts rely on. */
export function log(level: "info" | "warning" | "error", event: string, fields: Fields = {}): void {
  if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(minimumLevel)) return;
  let line = `{"at":"${timestamp()}","level":"${level}","event":"${event}"`;
  for (const [name, value] of Object.entries(fields)) line += `,"${name}":${toJson(value)}`;
  buffered += `${line}}\n`;
  if (level === "error" || buffered.length > GATHER_CHARACTERS) write();
  else timer ??= setTimeout(write, GATHER_MS).unref();
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

/** Gives the same text as Date's toISOString(), which would take a third of the log's time. */
function timestamp(): string {
  const now = Date.now();
  if (Math.floor(now / 1_000) !== second) {
    second = Math.floor(now / 1_000);
    secondPrefix = new Date(now).toISOString().slice(0, -4);
  }
  return `${secondPrefix}${String(now % 1_000).padStart(3, "0")}Z`;
}

/** Encodes a value without local parts, such as those in an error's message. */
function toJson(value: Fields[string]): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return PLAIN.test(value) ? `"${value}"` : JSON.stringify(value.replace(LOCAL_PART, "***@"));
}
