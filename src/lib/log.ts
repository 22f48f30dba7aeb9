// Structured logs: one JSON line an entry, on the console that Workers Logs collects. Callers pass
// ids, never a secret, a body or a full address; what an error says beyond that is taken out here
// (redact.ts), so that a careless message of a library's is no leak.
import { messageOf, redact } from "./redact.ts";
import { remedyFor } from "./remedy.ts";

type Field =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly string[]
  | Readonly<Record<string, string>>;
export type LogFields = Readonly<Record<string, Field>>;

export const LOG_LEVELS = ["info", "warning", "error", "none"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const TEXT_CHARACTERS = 2_000;
const STACK_LINES = 12;
const CAUSES = 3;

let least: LogLevel = "info";
let secrets: readonly string[] = [];
let isLocal = false;

/**
 * From now on, what is less grave than `level` is not written, and `hidden` (what is empty or short
 * is passed over) never is. `local`: hints name a developer's commands.
 */
export function configureLog(
  level: LogLevel,
  hidden: readonly (string | undefined)[],
  local = false,
): void {
  least = level;
  isLocal = local;
  secrets = hidden.filter((secret) => secret !== undefined && secret.length >= 8) as string[];
}

export function logInfo(event: string, fields: LogFields = {}): void {
  if (isWritten("info")) console.log(line("info", event, fields));
}

export function logWarning(event: string, fields: LogFields = {}): void {
  if (isWritten("warning")) console.warn(line("warning", event, fields));
}

export function logError(event: string, error: unknown, fields: LogFields = {}): void {
  if (isWritten("error")) console.error(line("error", event, { ...fields, ...described(error) }));
}

/** What an error says, as a log would have it: for what keeps it elsewhere. */
export function safeMessage(error: unknown): string {
  return clean(messageOf(error));
}

/**
 * Names the command that mends an error, with secrets taken out as in the log. Undefined where none
 * is known.
 */
export function hintFor(error: unknown): string | undefined {
  const hint = remedyFor([messageOf(error), ...causesOf(error)], isLocal);
  return hint === undefined ? undefined : clean(hint);
}

function isWritten(level: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least);
}

function line(level: LogLevel, event: string, fields: LogFields): string {
  return JSON.stringify({ level, event, ...fields }, (_, value: unknown) =>
    typeof value === "string" ? clean(value) : value,
  );
}

function clean(text: string): string {
  const safe = redact(text, secrets);
  return safe.length > TEXT_CHARACTERS ? `${safe.slice(0, TEXT_CHARACTERS)}…` : safe;
}

/** The stack without the message that it begins with. */
function described(error: unknown): LogFields {
  const stack =
    error instanceof Error
      ? error.stack?.split("\n").filter((one) => /^\s+at /.test(one))
      : undefined;
  const causes = causesOf(error);
  return {
    error: messageOf(error),
    hint: hintFor(error),
    ...(causes.length > 0 ? { cause: causes.join("; ") } : {}),
    ...(stack && stack.length > 0 ? { stack: stack.slice(0, STACK_LINES).join("\n") } : {}),
  };
}

function causesOf(error: unknown): string[] {
  const causes: string[] = [];
  let cause = error instanceof Error ? error.cause : undefined;
  for (
    ;
    cause !== undefined && causes.length < CAUSES;
    cause = cause instanceof Error ? cause.cause : undefined
  )
    causes.push(messageOf(cause));
  return causes;
}
