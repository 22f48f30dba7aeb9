// Refuses arguments that no request to the API can carry, before a tool runs. Pure.
import { ArgumentError, type ToolArguments } from "./tool.ts";

/** Maximum nesting of an argument. No body of the API is nested as deeply. */
const LEVELS = 32;

/** Throws an ArgumentError that names the first wrong argument by its dotted path. */
export function checkArguments(args: ToolArguments): void {
  for (const [name, value] of Object.entries(args)) {
    checkText(name, name);
    checkValue(name, value, LEVELS);
  }
}

function checkValue(path: string, value: unknown, levels: number): void {
  if (typeof value === "string") checkText(path, value);
  if (typeof value !== "object" || value === null) return;
  if (levels === 0) throw new ArgumentError(path.split(".", 1)[0] ?? "", "is nested too deeply");
  for (const [name, member] of Object.entries(value)) {
    checkText(path, name);
    checkValue(`${path}.${name}`, member, levels - 1);
  }
}

function checkText(path: string, text: string): void {
  if (!text.isWellFormed())
    throw new ArgumentError(path.toWellFormed(), "has half of a surrogate pair (a lone surrogate)");
  if (text.includes("\0")) throw new ArgumentError(path.replaceAll("\0", ""), "has a NUL");
}
