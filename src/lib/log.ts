// Writes structured logs: one JSON line per entry, on the console that Workers Logs collects.
// Callers pass ids, and never a secret, a body or a full address. This file redacts errors
// (redact.ts), because a library's message may contain such data.
import { messageOf, redact } from "./redact.ts";
import { findFix } from "./error-fixes.ts";

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
const CAUSES_LOGGED = 3;

let lowestLevel: LogLevel = "info";
let secrets: readonly string[] = [];
let isLocal = false;

/**
 * Sets the lowest level that is written, and the secrets to redact (those under 8 characters are
 * ignored). If `local` is true, hints name the commands of a developer's machine.
 */
export function configureLog(
  level: LogLevel,
  hidden: readonly (string | undefined)[],
  local = false,
): void {
  lowestLevel = level;
  isLocal = local;
  secrets = hidden.filter((secret) => secret !== undefined && secret.length >= 8) as string[];
}

export function logInfo(event: string, fields: LogFields = {}): void {
  if (isWritten("info")) console.log(formatLine("info", event, fields));
}

export function logWarning(event: string, fields: LogFields = {}): void {
  if (isWritten("warning")) console.warn(formatLine("warning", event, fields));
}

export function logError(event: string, error: unknown, fields: LogFields = {}): void {
  if (isWritten("error"))
    console.error(formatLine("error", event, { ...fields, ...describeError(error) }));
}

/** Returns an error's redacted message, for callers that store it elsewhere. */
export function safeMessage(error: unknown): string {
  return clean(messageOf(error));
}

/** Returns the command that fixes an error, redacted like the log. Undefined: no fix is known. */
export function hintFor(error: unknown): string | undefined {
  const hint = findFix([messageOf(error), ...causesOf(error)], isLocal);
  return hint === undefined ? undefined : clean(hint);
}

function isWritten(level: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(lowestLevel);
}

function formatLine(level: LogLevel, event: string, fields: LogFields): string {
  return JSON.stringify({ level, event, ...fields }, (_, value: unknown) =>
    typeof value === "string" ? clean(value) : value,
  );
}

function clean(text: string): string {
  const safe = redact(text, secrets);
  return safe.length > TEXT_CHARACTERS ? `${safe.slice(0, TEXT_CHARACTERS)}…` : safe;
}

/**
 * Returns an error's log fields. The stack is logged without its first part, which repeats the
 * message.
 */
function describeError(error: unknown): LogFields {
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
    cause !== undefined && causes.length < CAUSES_LOGGED;
    cause = cause instanceof Error ? cause.cause : undefined
  )
    causes.push(messageOf(cause));
  return causes;
}
