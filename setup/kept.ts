// What set-up remembers between its runs, in one file that its owner alone can read: the answers,
// the secrets that it made and Cloudflare never shows again, and what it has created. Written
// before whatever it is about leaves this machine, so that a run which was cut short can go on.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { SetupProblem } from "./setup-problem.ts";

const FILE = "production.json";
const DEFAULT_STATE = ".postern";

export interface PublishedRecord {
  readonly type: string;
  readonly name: string;
  readonly content: string;
}

export interface Kept {
  account_id?: string;
  zone?: { readonly id: string; readonly name: string | null };
  /** Null: the worker has none in the zone. */
  custom_domain?: string | null;
  /** By the name of the worker's variable, or of the question. */
  settings: Record<string, string>;
  secrets: Record<string, string>;
  /** SHA-256 of each secret that the worker was given by set-up. */
  uploaded: Record<string, string>;
  /** What set-up itself has put into the zone: it may change that again without asking. */
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

export class KeptFile {
  readonly path: string;
  readonly kept: Kept;
  readonly #readOnly: boolean;

  /**
   * `readOnly`: a dry run, which remembers nothing. Throws a SetupProblem for a file that is not
   * JSON.
   */
  constructor(
    environment: Readonly<Record<string, string | undefined>>,
    root: string,
    readOnly = false,
  ) {
    this.path = resolve(root, environment["POSTERN_STATE"] || DEFAULT_STATE, FILE);
    this.kept = { settings: {}, secrets: {}, uploaded: {}, published: [], ...read(this.path) };
    this.#readOnly = readOnly;
  }

  /** Replaces the file in one step: a run that is killed leaves the old one or the new. */
  save(): void {
    if (this.#readOnly) return;
    const fresh = `${this.path}.${process.pid}.new`;
    mkdirSync(dirname(this.path), { recursive: true });
    writeFileSync(fresh, `${JSON.stringify(this.kept, null, 2)}\n`, { mode: 0o600 });
    renameSync(fresh, this.path);
  }
}

function read(path: string): Partial<Kept> | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as Partial<Kept>;
  } catch {
    throw new SetupProblem(
      `${path} is not JSON`,
      "look at it: it holds the only copy of what earlier runs made. Mend it, or move it away to start afresh",
    );
  }
}
