// Runs wrangler's commands for set-up, and reads their output. Wrangler never asks questions,
// because set-up asks them first.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { CallProblem } from "./setup-problem.ts";

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The version and the addresses that `wrangler deploy` reports. */
export interface DeployResult {
  readonly version: string | null;
  readonly targets: readonly string[];
}

export type CommandEnvironment = Readonly<Record<string, string | undefined>>;

const LONGEST_COMPLAINT = 600;
const AGAIN = "run this again: completed steps are kept";
const REFUSED =
  /code: (?:10000|9109|9106|10001|10023)\b|Authentication error|not authorized|Unauthorized|permission/i;
const LOGGED_OUT = /not logged in|set a CLOUDFLARE_API_TOKEN environment variable/i;

/** `input` is written to the command's standard input. */
export type RunWrangler = (
  args: readonly string[],
  input: string,
  environment: CommandEnvironment,
  root: string,
) => Promise<CommandResult>;

export class Wrangler {
  readonly #environment: CommandEnvironment;
  readonly #root: string;
  readonly #run: RunWrangler;
  /** The id of the Cloudflare account. Undefined: wrangler uses the login's only account. */
  accountId: string | undefined;
  /** The path of the configuration, for a deployment with its own names. Null: wrangler.toml. */
  configPath: string | null = null;
  /**
   * True: the login is missing in a dry run, so no more commands are run. Each command would be
   * refused after a second.
   */
  isLoggedOut = false;

  constructor(environment: CommandEnvironment, root: string, run: RunWrangler) {
    this.#run = run;
    this.#environment = environment;
    this.#root = root;
    this.accountId = environment["CLOUDFLARE_ACCOUNT_ID"];
  }

  /** Returns even a failed result. `stdin` is for secrets, which must not be in the arguments. */
  async run(
    args: readonly string[],
    stdin = "",
    extra: Record<string, string> = {},
  ): Promise<CommandResult> {
    if (this.isLoggedOut) throw new CallProblem("wrangler is not logged in");
    const config = this.configPath === null ? [] : ["--config", this.configPath];
    const environment = { ...this.#childEnvironment(), ...extra };
    return this.#run([...args, ...config], stdin, environment, this.#root);
  }

  /** Returns the output. If the command fails, throws a CallProblem with wrangler's error text. */
  async must(
    args: readonly string[],
    needs: string,
    stdin = "",
    extra: Record<string, string> = {},
  ): Promise<string> {
    const ran = await this.run(args, stdin, extra);
    if (ran.code !== 0)
      throw new CallProblem(
        `wrangler ${args.slice(0, 3).join(" ")}: ${complaintOf(ran)}`,
        mendOf(ran, needs),
      );
    return ran.stdout;
  }

  /** Runs a command that must print a JSON array, and parses it. */
  async json(args: readonly string[], needs: string): Promise<unknown> {
    return parseOutput(await this.must(args, needs), "[", `wrangler ${args.join(" ")}`);
  }

  async deploy(args: readonly string[], needs: string): Promise<DeployResult> {
    const directory = mkdtempSync(join(tmpdir(), "postern-deploy-"));
    const path = join(directory, "report.ndjson");
    try {
      await this.must(["deploy", ...args], needs, "", { WRANGLER_OUTPUT_FILE_PATH: path });
      return reportOf(path);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }

  #childEnvironment(): CommandEnvironment {
    return {
      ...this.#environment,
      ...(this.accountId === undefined ? {} : { CLOUDFLARE_ACCOUNT_ID: this.accountId }),
      // CI prevents wrangler from asking questions and from writing ids into wrangler.toml.
      CI: "1",
      NO_COLOR: "1",
      FORCE_COLOR: "0",
      WRANGLER_HIDE_BANNER: "true",
      WRANGLER_SEND_METRICS: this.#environment["WRANGLER_SEND_METRICS"] ?? "false",
    };
  }
}

/** Returns wrangler's error text on one line, without colours and frames. */
export function complaintOf({ stdout, stderr, code }: CommandResult): string {
  const lines = stripVTControlCharacters(stderr.trim() || stdout)
    .split("\n")
    .map((line) => line.replace(/[✘🪵]/gu, "").replace("[ERROR]", "").trim())
    .filter(
      (line) =>
        line !== "" &&
        !line.includes("github.com/cloudflare/workers-sdk") &&
        !/^(?:🪵|Logs were written|⛅|─|If you think this is a bug)/u.test(line),
    );
  return lines.join(" ").slice(0, LONGEST_COMPLAINT) || `exit code ${code}`;
}

/** Tells whether a part of a command's output matches. */
export function printed({ stdout, stderr }: CommandResult, words: RegExp): boolean {
  return words.test(`${stdout}${stderr}`);
}

/** Parses the JSON in a command's output, from `start` on. Throws a CallProblem without JSON. */
export function parseOutput(stdout: string, start: "[" | "{", command: string): unknown {
  const at = stdout.indexOf(start);
  try {
    return JSON.parse(stdout.slice(Math.max(0, at)));
  } catch {
    throw new CallProblem(
      `${command} printed no JSON: ${stdout.trim().slice(0, LONGEST_COMPLAINT) || "nothing"}`,
      "run this again; if it stays, run that command yourself",
    );
  }
}

function mendOf(ran: CommandResult, needs: string): string {
  if (printed(ran, LOGGED_OUT)) return `the login has ended: run npx wrangler login, then ${AGAIN}`;
  return printed(ran, REFUSED)
    ? `give wrangler's login or CLOUDFLARE_API_TOKEN the permission ${needs}, then run this again`
    : `fix this error, then ${AGAIN}`;
}

function reportOf(path: string): DeployResult {
  const entries = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map(
      (line) =>
        JSON.parse(line) as { type?: string; version_id?: string | null; targets?: string[] },
    );
  const deploy = entries.findLast(({ type }) => type === "deploy");
  return { version: deploy?.version_id ?? null, targets: deploy?.targets ?? [] };
}
