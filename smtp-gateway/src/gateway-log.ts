// One JSON line an entry on stderr. Callers pass keys, domains and hosts: never a local part, a
// server's text (it quotes addresses) or a body. Lines go out a few at a time: at a line a message,
// writing each by itself is a sixth of the gateway's work.

type Fields = Record<string, string | number | boolean | null>;

export const LOG_LEVELS = ["info", "warning", "error", "none"] as const;

export type GatewayLogLevel = (typeof LOG_LEVELS)[number];

/** Longer than one may be, and bounded so that the search is linear. */
const LOCAL_PART = /[^\s@<>()[\],;:"'`]{1,128}@/g;

/**
 * How long a line waits for others, at most, and for how many characters of them. An error does not
 * wait.
 */
const GATHER_MS = 20;
const GATHER_CHARACTERS = 32 * 1024;

/** A text that JSON writes as it is, and that holds no address. */
const PLAIN = /^[ !#-?A-[\]-~]*$/;

let least: GatewayLogLevel = "info";
let waiting = "";
/** The last write may have left half a line. */
let isTorn = false;
/** Seconds since 1970, and how their timestamps begin. */
let second = 0;
let begin = "";
let timer: NodeJS.Timeout | undefined;

process.on("exit", write);
// A log that can't be written, because its disk is full or its reader is gone, loses lines and
// nothing else.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {
  isTorn = true;
});

/** What is less grave than `level` is not written from now on. */
export function logFrom(level: GatewayLogLevel): void {
  least = level;
}

export function log(level: "info" | "warning" | "error", event: string, fields: Fields = {}): void {
  if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(least)) return;
  let line = `{"at":"${timestamp()}","level":"${level}","event":"${event}"`;
  for (const [name, value] of Object.entries(fields)) line += `,"${name}":${json(value)}`;
  waiting += `${line}}\n`;
  if (level === "error" || waiting.length > GATHER_CHARACTERS) write();
  else timer ??= setTimeout(write, GATHER_MS).unref();
}

function write(): void {
  clearTimeout(timer);
  timer = undefined;
  if (waiting === "") return;
  const lines = isTorn ? `\n${waiting}` : waiting;
  waiting = "";
  isTorn = false;
  process.stderr.write(lines);
}

/** As Date's toISOString(), which at a line a message is a third of the log's work. */
function timestamp(): string {
  const now = Date.now();
  if (Math.floor(now / 1_000) !== second) {
    second = Math.floor(now / 1_000);
    begin = new Date(now).toISOString().slice(0, -4);
  }
  return `${begin}${String(now % 1_000).padStart(3, "0")}Z`;
}

/** Without local parts, such as those in what an error says. */
function json(value: Fields[string]): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return PLAIN.test(value) ? `"${value}"` : JSON.stringify(value.replace(LOCAL_PART, "***@"));
}
