// Step: the worker of this working tree is deployed, with this deployment's variables. wrangler's
// deployment also creates the bucket, and the bindings to queues and databases. If this working
// tree is deployed already, nothing is done.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Context, Step } from "../setup-context.ts";
import { member } from "../json-call.ts";
import { parseOutput } from "../run-wrangler.ts";
import type { StepOutcome } from "../step-outcome.ts";
import { variableArguments } from "../setting-prompts.ts";

const NEEDS =
  "Account · Workers Scripts · Edit, Account · Workers R2 Storage · Edit, Account · D1 · " +
  "Edit, Account · Queues · Edit, Zone · Workers Routes · Edit, and Zone · Email Sending · Edit";
/** The folders and files on which a deployment depends. */
const SOURCES = ["src", "public", "wrangler.toml", "package-lock.json"];

export const deploy: Step = {
  name: "deploy",
  plan: (context) => [`wrangler deploy ${deployArguments(context).join(" ")}`],
  async run(context) {
    const { kept, dryRun, root } = context;
    const args = deployArguments(context);
    const fingerprint = fingerprintOf(root, args);
    const live = await liveVersion(context);
    if (
      live !== null &&
      kept.deployed?.version === live &&
      kept.deployed.fingerprint === fingerprint
    ) {
      return { kind: "already", detail: `version ${live}` };
    }
    if (dryRun) return { kind: "would", detail: `wrangler deploy ${args.join(" ")}` };
    return deployAs(context, args, fingerprint, kept.deployed === undefined ? "done" : "changed");
  },
};

/**
 * Deploys even if this working tree is deployed already. If set-up stored no settings, the
 * variables of wrangler.toml apply.
 */
export const deployNow: Step = {
  name: "deploy",
  async run(context) {
    const args = Object.keys(context.settings).length === 0 ? [] : deployArguments(context);
    return deployAs(context, args, fingerprintOf(context.root, args), "done");
  },
};

async function deployAs(
  context: Context,
  args: readonly string[],
  fingerprint: string,
  kind: "done" | "changed",
): Promise<StepOutcome> {
  const { wrangler, kept, file } = context;
  const report = await wrangler.deploy(args, NEEDS);
  const version = report.version ?? (await liveVersion(context));
  if (version !== null && args.length > 0) {
    kept.deployed = { fingerprint, version };
    file.save();
  }
  // The targets also contain schedules and queues. Only URLs and custom domains are shown.
  const places = report.targets.filter((target) => /^https?:|custom domain/.test(target));
  return {
    kind,
    detail: `version ${version ?? "unknown"}${places.length === 0 ? "" : ` at ${places.join(", ")}`}`,
  };
}

function deployArguments({
  settings,
  customDomain,
  consoleDomain,
}: Pick<Context, "settings" | "customDomain" | "consoleDomain">): string[] {
  const hosts = [customDomain, consoleDomain].filter((host) => host !== null);
  return [...variableArguments(settings), ...hosts.flatMap((host) => ["--domain", host])];
}

/** Returns the version that gets all traffic, or null if no version or two get traffic. */
async function liveVersion({ wrangler }: Context): Promise<string | null> {
  const ran = await wrangler.run(["deployments", "status", "--json"]);
  if (ran.code !== 0 || !ran.stdout.includes("{")) return null;
  const status = parseOutput(ran.stdout, "{", "wrangler deployments status");
  const versions = member(status, "versions");
  const [only, ...more] = Array.isArray(versions) ? (versions as unknown[]) : [];
  const id = member(only, "version_id");
  return more.length === 0 && typeof id === "string" ? id : null;
}

function fingerprintOf(root: string, args: readonly string[]): string {
  const hash = createHash("sha256").update(JSON.stringify(args));
  for (const source of SOURCES) {
    for (const path of filesBelow(root, source))
      hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest("hex");
}

function filesBelow(root: string, source: string): string[] {
  if (source.includes(".")) return [source];
  return readdirSync(join(root, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, "/").length))
    .toSorted();
}
