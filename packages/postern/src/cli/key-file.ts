// The file that `postern login` writes: the key of each deployment, readable by its owner only.
import { mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CommandFailure, EXIT } from "./exit-codes.ts";
import { readJson } from "./file-access.ts";

export type ProcessEnvironment = Readonly<Record<string, string | undefined>>;

export interface KeyFile {
  /** The deployment of the last login. */
  readonly current: string;
  /** Maps a URL without a final slash to its key. */
  readonly keys: Readonly<Record<string, string>>;
}

const OTHERS = 0o077;

function keyFilePath(environment: ProcessEnvironment): string {
  const folder = environment["XDG_CONFIG_HOME"] || join(homedir(), ".config");
  return join(folder, "postern", "keys.json");
}

/**
 * Returns undefined if the file does not exist. Throws a CommandFailure if other users of the
 * machine can read the file.
 */
export function readKeyFile(environment: ProcessEnvironment): KeyFile | undefined {
  const path = keyFilePath(environment);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return undefined;
  if (process.platform !== "win32" && (stat.mode & OTHERS) !== 0)
    throw new CommandFailure(
      `${path} holds API keys, and others can read it: chmod 600 ${path}`,
      EXIT.notPermitted,
    );
  return readJson(path) as KeyFile;
}

/** Adds a deployment's key, and makes the deployment the current one. Returns the file's path. */
export function writeKey(environment: ProcessEnvironment, url: string, key: string): string {
  const path = keyFilePath(environment);
  const keys = { ...readKeyFile(environment)?.keys, [url]: key };
  const fresh = `${path}.${process.pid}.new`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(fresh, `${JSON.stringify({ current: url, keys } satisfies KeyFile, null, 2)}\n`, {
    mode: 0o600,
  });
  renameSync(fresh, path);
  return path;
}
