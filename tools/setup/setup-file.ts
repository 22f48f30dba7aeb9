// Set-up's file, which keeps state between runs. Only its owner can read it. It has the answers,
// the generated secrets (which Cloudflare never shows again), and the created objects. Each change
// is saved in the file before the request for it is sent, so that a run after an interruption can
// continue.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { SetupProblem } from "./setup-problem.ts";
import type { CommandEnvironment } from "./run-wrangler.ts";

const FILE = "production.json";
const DEFAULT_STATE = ".postern";

export interface PublishedRecord {
  readonly type: string;
  readonly name: string;
  readonly content: string;
}

export interface StoredSetup {
  account_id?: string;
  zone?: { readonly id: string; readonly name: string | null };
  /** The worker's custom domain. Null: the worker has none in the zone. */
  custom_domain?: string | null;
  /** The console's own custom domain. Null: it has none in the zone. */
  console_domain?: string | null;
  /** The answers, by the names of their questions. */
  settings: Record<string, string>;
  secrets: Record<string, string>;
  /** The SHA-256 of each secret that set-up has uploaded to the worker. */
  uploaded: Record<string, string>;
  /** The records that set-up has published. Set-up may change these records without asking. */
  published: PublishedRecord[];
  deployed?: { readonly fingerprint: string; readonly version: string };
  team?: {
    readonly name: string;
    readonly requested_at: string;
    readonly id?: string;
    readonly api_key?: string;
  };
  message?: { readonly idempotency_key: string; readonly from: string; readonly id?: string };
}

export class SetupFile {
  readonly path: string;
  readonly kept: StoredSetup;
  readonly #readOnly: boolean;

  /**
   * `readOnly`: the run is a dry run, so nothing is saved. Throws a SetupProblem if the file is not
   * JSON.
   */
  constructor(environment: CommandEnvironment, root: string, readOnly = false) {
    this.path = resolve(root, environment["POSTERN_STATE"] || DEFAULT_STATE, FILE);
    this.kept = { settings: {}, secrets: {}, uploaded: {}, published: [], ...read(this.path) };
    this.#readOnly = readOnly;
  }

  /**
   * Prevents other runs on this machine from using the file. Otherwise each run would overwrite the
   * other's state. Returns the function that unlocks the file. A dry run changes nothing, so it
   * needs no lock.
   */
  lock(): () => void {
    return this.#readOnly ? () => undefined : lockFile(this.path);
  }

  save(): void {
    if (this.#readOnly) return;
    mkdirSync(dirname(this.path), { recursive: true });
    replaceFile(this.path, `${JSON.stringify(this.kept, null, 2)}\n`, 0o600);
  }
}

/** Replaces a file in one step, so that it is never incomplete. */
export function replaceFile(path: string, text: string, mode?: number): void {
  const fresh = `${path}.${process.pid}.new`;
  writeFileSync(fresh, text, { mode });
  renameSync(fresh, path);
}

export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function read(path: string): Partial<StoredSetup> {
  const text = readText(path) ?? "{}";
  try {
    return JSON.parse(text) as Partial<StoredSetup>;
  } catch {
    throw new SetupProblem(
      `${path} is not JSON`,
      "this file is the only record of earlier runs: repair it, or move it away to start afresh",
    );
  }
}

/**
 * Locks set-up's file for this process, and returns the function that unlocks it. Ignores the lock
 * of a process that has ended. Throws a SetupProblem if another run has the lock.
 */
function lockFile(file: string): () => void {
  const path = `${file}.lock`;
  const mine = String(process.pid);
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(path, mine, { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const owner = Number(readFileSync(path, "utf8"));
    if (owner !== process.pid && isAlive(owner))
      throw new SetupProblem(
        `another run of set-up (process ${owner}) uses ${file}`,
        "wait until that run has ended, then run this again",
      );
    writeFileSync(path, mine);
  }
  return () => rmSync(path, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
