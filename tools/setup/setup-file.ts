// Set-up's file, which keeps state between runs and which only its owner can read. It holds the
// answers, the generated secrets that Cloudflare never shows again, and the created objects. Set-up
// writes it before it sends a change, so that an interrupted run can continue.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
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
  /** The custom domain. Null if the worker has none in the zone. */
  custom_domain?: string | null;
  /** Answers, by the name of the worker's variable or of the question. */
  settings: Record<string, string>;
  secrets: Record<string, string>;
  /** The SHA-256 of each secret that set-up uploaded to the worker. */
  uploaded: Record<string, string>;
  /** Records that set-up itself published. It may change them later without asking. */
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
   * `readOnly` is for a dry run, which saves nothing. Throws a SetupProblem if the file is not
   * JSON.
   */
  constructor(environment: CommandEnvironment, root: string, readOnly = false) {
    this.path = resolve(root, environment["POSTERN_STATE"] || DEFAULT_STATE, FILE);
    this.kept = { settings: {}, secrets: {}, uploaded: {}, published: [], ...read(this.path) };
    this.#readOnly = readOnly;
  }

  /** Replaces the file in one step, so that a killed run leaves either the old or the new file. */
  save(): void {
    if (this.#readOnly) return;
    const fresh = `${this.path}.${process.pid}.new`;
    mkdirSync(dirname(this.path), { recursive: true });
    writeFileSync(fresh, `${JSON.stringify(this.kept, null, 2)}\n`, { mode: 0o600 });
    renameSync(fresh, this.path);
  }
}

function read(path: string): Partial<StoredSetup> | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as Partial<StoredSetup>;
  } catch {
    throw new SetupProblem(
      `${path} is not JSON`,
      "this file is the only record of earlier runs: repair it, or move it away to start afresh",
    );
  }
}
