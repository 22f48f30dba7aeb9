// Refuses arguments that cannot be part of a request to the API, before a tool runs. Pure.
import { ArgumentError, type ToolArguments } from "./tool.ts";

/** Maximum nesting of an argument. Every valid body of the API is nested less. */
const LEVELS = 32;
/**
 * Maximum number of values and names in all arguments together, because each costs processor time.
 */
const VALUES = 100_000;

/** Throws an ArgumentError that names the first wrong argument by its dotted path. */
export function checkArguments(args: ToolArguments): void {
  const room = { left: VALUES };
  for (const name of Object.keys(args)) {
    checkText(name, name);
    checkValue(name, args[name], LEVELS, room);
  }
}

function checkValue(path: string, value: unknown, levels: number, room: { left: number }): void {
  room.left -= 1;
  if (room.left < 0)
    throw new ArgumentError(firstOf(path), `brings the arguments to more than ${VALUES} values`);
  if (typeof value === "string") checkText(path, value);
  if (typeof value !== "object" || value === null) return;
  if (levels === 0) throw new ArgumentError(firstOf(path), "is nested too deeply");
  for (const name in value) {
    checkText(path, name);
    const member: unknown = (value as Readonly<Record<string, unknown>>)[name];
    checkValue(`${path}.${name}`, member, levels - 1, room);
  }
}

function firstOf(path: string): string {
  return path.split(".", 1)[0] ?? "";
}

function checkText(path: string, text: string): void {
  if (!text.isWellFormed())
    throw new ArgumentError(path.toWellFormed(), "has half of a surrogate pair (a lone surrogate)");
  if (text.includes("\0")) throw new ArgumentError(path.replaceAll("\0", ""), "has a NUL");
}
