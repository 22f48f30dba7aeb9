// What the steps of one run share. Steps fill in what they find out: a step may read what an
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
  /** From the step `settings` on. */
  settings: SetupSettings;
  dns: DnsApi;
  api: OperatorClient;
  /** From the step `zone` on. */
  zone: Zone;
  /** Databases that were there before this run, by name. */
  databases: ReadonlySet<string>;
  /** The worker's custom domain, where it has one in the zone. */
  customDomain: string | null;
  /** The first team's full key; null: it is not known. */
  teamKey: string | null;
  /** The verified domain to send from; null: there is none yet. */
  sendingDomain: string | null;
}

export interface Step {
  readonly name: string;
  /** Throws a SetupProblem where it can't be done. */
  readonly run: (context: Context) => Promise<StepOutcome>;
  /** The step's intention, made from the answers alone. A dry run shows it where a call failed. */
  readonly plan?: (context: Context) => StepPlan;
}
