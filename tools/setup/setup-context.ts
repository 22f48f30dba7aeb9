// State that the steps of one run share. A step fills in what it finds out, and may read what an
// earlier one has set.
import type { DeployConfig } from "./deploy-config.ts";
import type { DnsApi, Zone } from "./dns-api.ts";
import type { Kept, KeptFile } from "./kept.ts";
import type { StepOutcome, StepPlan } from "./step-outcome.ts";
import type { SetupSettings } from "./questions.ts";
import type { Terminal } from "./terminal.ts";
import type { OperatorClient } from "./operator-client.ts";
import type { Wrangler } from "./run-wrangler.ts";

export type ConflictPolicy = "stop" | "replace" | "keep";

export interface Context {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly root: string;
  readonly dryRun: boolean;
  readonly onConflict: ConflictPolicy;
  readonly terminal: Terminal;
  readonly wrangler: Wrangler;
  readonly config: DeployConfig;
  readonly file: KeptFile;
  readonly kept: Kept;
  /** Set by the step `settings`. */
  settings: SetupSettings;
  dns: DnsApi;
  api: OperatorClient;
  /** Set by the step `zone`. */
  zone: Zone;
  /** Names of the databases that existed before this run. */
  databases: ReadonlySet<string>;
  /** The worker's custom domain, if it has one in the zone. */
  customDomain: string | null;
  /** The first team's full key. Null if it is unknown. */
  teamKey: string | null;
  /** The verified domain to send from. Null until one is verified. */
  sendingDomain: string | null;
}

export interface Step {
  readonly name: string;
  /** False if the deployment does not need the step. */
  readonly applies?: (context: Context) => boolean;
  /** Throws a SetupProblem if the step can't be done. */
  readonly run: (context: Context) => Promise<StepOutcome>;
  /** The step's intention, derived from the answers alone. A dry run prints it if a call failed. */
  readonly plan?: (context: Context) => StepPlan;
}
