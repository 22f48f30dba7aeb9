// The state that the steps of one run share. Each step stores its results here and reads those of
// earlier steps.
import type { CommandSurroundings } from "./run-command.ts";
import { type DeployConfig, readNamedConfig } from "./deploy-config.ts";
import { DnsApi, type Zone } from "./dns-api.ts";
import { type StoredSetup, SetupFile } from "./setup-file.ts";
import type { StepOutcome } from "./step-outcome.ts";
import type { SetupSettings } from "./setting-prompts.ts";
import { type Terminal, terminal } from "./terminal.ts";
import { OperatorClient } from "./operator-client.ts";
import { type CommandEnvironment, Wrangler } from "./run-wrangler.ts";
import type { WaitingClock } from "./wait-until.ts";

export type ConflictPolicy = "stop" | "replace" | "keep";

export interface Context {
  readonly environment: CommandEnvironment;
  readonly root: string;
  readonly dryRun: boolean;
  readonly onConflict: ConflictPolicy;
  readonly terminal: Terminal;
  readonly clock: WaitingClock;
  readonly wrangler: Wrangler;
  readonly config: DeployConfig;
  readonly file: SetupFile;
  readonly kept: StoredSetup;
  /** The answers. The step `settings` sets them. */
  settings: SetupSettings;
  dns: DnsApi;
  api: OperatorClient;
  /** The zone of the service domain. The step `zone` sets it. */
  zone: Zone;
  /** The records that the current step published. If the step fails, the message lists them. */
  readonly made: string[];
  /** Names of the databases that existed before this run. */
  databases: ReadonlySet<string>;
  /**
   * The domain whose DMARC policy must be p=none before it is onboarded. The step `preflight` sets
   * it. Null: no domain.
   */
  watchedDomain: string | null;
  /** The worker's custom domain. Null: the worker has none in the zone. */
  customDomain: string | null;
  /** The custom domain of the console, if it has a host of its own in the zone. */
  consoleDomain: string | null;
  /** The first team's API key with full access. Null: the key is unknown. */
  teamKey: string | null;
  /** The domain for a first message. Null: no domain is verified yet. */
  sendingDomain: string | null;
}

export interface Step {
  readonly name: string;
  /** Returns false if the deployment does not need this step. */
  readonly applies?: (context: Context) => boolean;
  /** Runs the step. Throws a SetupProblem if the step fails. */
  readonly run: (context: Context) => Promise<StepOutcome>;
  /**
   * Returns the detail and the notes of what the step would do, as far as the answers determine it.
   * A dry run prints them if one of the step's calls failed.
   */
  readonly plan?: (context: Context) => readonly string[];
}

export interface SetupOptions {
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly onConflict: ConflictPolicy;
}

/** Makes a run's state. Throws a SetupProblem if set-up's file or wrangler.toml is unusable. */
export function newContext(
  { yes, dryRun, onConflict }: SetupOptions,
  { root, environment, input, output, clock, runWrangler }: CommandSurroundings,
): Context {
  const file = new SetupFile(environment, root, dryRun);
  const config = readNamedConfig(root, environment, file);
  const wrangler = new Wrangler(environment, root, runWrangler);
  wrangler.configPath = config.path;
  return {
    environment,
    root,
    dryRun,
    onConflict,
    terminal: terminal(!yes, input, output),
    clock,
    wrangler,
    config,
    file,
    kept: file.kept,
    settings: {},
    // Placeholders. The step `settings` replaces them before any step uses them.
    dns: new DnsApi("", ""),
    api: new OperatorClient(""),
    zone: { id: "", name: null },
    made: [],
    databases: new Set(),
    watchedDomain: null,
    customDomain: null,
    consoleDomain: null,
    teamKey: null,
    sendingDomain: null,
  };
}
