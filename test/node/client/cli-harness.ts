// Runs the command line inside the test's process, against an API whose answers the test chooses.
import { EventEmitter } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, type Readable, Writable } from "node:stream";
import { afterAll, beforeEach } from "vitest";
import { runCommandLine } from "../../../packages/postern/src/cli/command-line.ts";
import { AnsweringApi } from "../answering-api.ts";

interface CliSetting {
  readonly environment?: Readonly<Record<string, string>>;
  /** The whole input, or a stream that the test ends. */
  readonly input?: string | PassThrough;
  /** True: input and output are those of a terminal. */
  readonly isTerminal?: boolean;
}

export class CliHarness extends AnsweringApi {
  /** The output of the command's last run, so far. */
  printed: () => string = () => "";
  /** The home folder of the test file's runs. The command line saves its login there. */
  readonly home = mkdtempSync(join(tmpdir(), "postern-cli-"));
  readonly #folders = { XDG_CONFIG_HOME: this.home, POSTERN_STATE: join(this.home, "stack") };

  /** Starts the API for the calling file, and empties the home folder before each test. */
  override use(): this {
    afterAll(() => rmSync(this.home, { recursive: true }));
    beforeEach(() => {
      for (const folder of ["postern", "stack"])
        rmSync(join(this.home, folder), { recursive: true, force: true });
    });
    return super.use();
  }

  /** Runs a command with the key in the environment. A text is split at its spaces. */
  postern(args: string | readonly string[], setting: CliSetting = {}) {
    const key = { POSTERN_URL: this.url, POSTERN_API_KEY: "ps_environment" };
    return this.keyless(args, { ...setting, environment: { ...key, ...setting.environment } });
  }

  async keyless(
    args: string | readonly string[],
    { environment, input = "", isTerminal = false }: CliSetting = {},
  ) {
    const source: Readable = typeof input === "string" ? new PassThrough().end(input) : input;
    const output = collector();
    const errors = collector();
    this.printed = output.text;
    const code = await runCommandLine(typeof args === "string" ? args.split(" ") : args, {
      environment: { ...this.#folders, ...environment },
      input: Object.assign(source, { isTTY: isTerminal }),
      output: Object.assign(output.stream, { isTTY: isTerminal }),
      errors: errors.stream,
      signals: new EventEmitter(),
    });
    return { code, out: output.text(), err: errors.text() };
  }
}

function collector() {
  const chunks: Buffer[] = [];
  const stream = new Writable({ write: (chunk: Buffer, _, done) => (chunks.push(chunk), done()) });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
