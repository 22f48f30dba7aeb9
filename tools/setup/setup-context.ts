// The state that the steps of one run share. A step stores what it finds out, and reads what
// earlier steps stored.
import type { CommandSurroundings } from "./run-command.ts";
import { type DeployConfig, readDeployConfig } from "./deploy-config.ts";
import { DnsApi, type Zone } from "./dns-api.ts";
import { type StoredSetup, SetupFile } from "./setup-file.ts";
import type { StepOutcome, StepPlan } from "./step-outcome.ts";
import type { SetupSettings } from "./setting-prompts.ts";
import { type Terminal, terminal } from "./terminal.ts";
import { OperatorClient } from "./operator-client.ts";
import { type CommandEnvironment, Wrangler } from "./run-wrangler.ts";

export type ConflictPolicy = "stop" | "replace" | "keep";

export interface Context {
  readonly environment: CommandEnvironment;
  readonly root: string;
  readonly dryRun: boolean;
  readonly onConflict: ConflictPolicy;
  readonly terminal: Terminal;
  readonly wrangler: Wrangler;
  readonly config: DeployConfig;
  readonly file: SetupFile;
  readonly kept: StoredSetup;
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
  /** The first team's key with full access. Null if it is unknown. */
  teamKey: string | null;
  /** The verified domain to send from. Null until a domain is verified. */
  sendingDomain: string | null;
}

export interface Step {
  readonly name: string;
  /** False if the deployment does not need this step. */
  readonly applies?: (context: Context) => boolean;
  /** Throws a SetupProblem if the step fails. */
  readonly run: (context: Context) => Promise<StepOutcome>;
  /**
   * The step's intention, derived from the answers alone. A dry run prints it after a failed call.
   */
  readonly plan?: (context: Context) => StepPlan;
}

export interface SetupOptions {
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly onConflict: ConflictPolicy;
}

/** `root` is the project's root. Throws a SetupProblem. */
export function newContext(
  root: string,
  { yes, dryRun, onConflict }: SetupOptions,
  { environment, input, output, runWrangler }: CommandSurroundings,
): Context {
  const file = new SetupFile(environment, root, dryRun);
  return {
    environment,
    root,
    dryRun,
    onConflict,
    terminal: terminal(!yes, input, output),
    wrangler: new Wrangler(environment, root, runWrangler),
    config: readDeployConfig(root),
    file,
    kept: file.kept,
    settings: {},
    // The first values are placeholders: steps use them only after the answers are known.
    dns: new DnsApi("", ""),
    api: new OperatorClient(""),
    zone: { id: "", name: null },
    databases: new Set(),
    customDomain: null,
    teamKey: null,
    sendingDomain: null,
  };
}
