// Builds the context before the first step, from what is known without asking.
import type { ConflictPolicy, Context } from "./setup-context.ts";
import { readDeployConfig } from "./deploy-config.ts";
import { DnsApi } from "./dns-api.ts";
import { KeptFile } from "./kept.ts";
import { terminal } from "./terminal.ts";
import { OperatorClient } from "./operator-client.ts";
import { Wrangler } from "./run-wrangler.ts";

export interface SetupOptions {
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly onConflict: ConflictPolicy;
}

/** `root` is the project's root. Throws a SetupProblem. */
export function newContext(root: string, { yes, dryRun, onConflict }: SetupOptions): Context {
  const environment = process.env;
  const file = new KeptFile(environment, root, dryRun);
  return {
    environment,
    root,
    dryRun,
    onConflict,
    terminal: terminal(!yes),
    wrangler: new Wrangler(environment, root),
    config: readDeployConfig(root),
    file,
    kept: file.kept,
    settings: {},
    // Placeholders: no step uses them before the answers are known.
    dns: new DnsApi("", ""),
    api: new OperatorClient(""),
    zone: { id: "", name: null },
    databases: new Set(),
    customDomain: null,
    teamKey: null,
    sendingDomain: null,
  };
}
