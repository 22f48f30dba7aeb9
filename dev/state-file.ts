// JSON files in the state directory: replaced in one step, so that a reader or a killed process
// never leaves half of one behind.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Writes `value` so that `path` holds either the old content or the new. Readable by its owner
 * only: the files carry keys.
 */
export function writeStateFile(path: string, value: unknown): void {
  const fresh = `${path}.${process.pid}.new`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(fresh, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(fresh, path);
}

/**
 * The content of `path`, or undefined when there is no such file. Throws on one that is not JSON,
 * for a person has to look at it.
 */
export function readStateFile(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON; remove it to start afresh`, { cause: error });
  }
}
