// The command line (docs/command-line.md) run as a program: help, exit codes, where the key comes
// from, completion. test/stack/package.test.ts runs its commands against a real stack.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listenOnLoopback } from "../../../tools/harness/loopback.ts";
import { COMMANDS } from "../../../packages/postern/src/cli/command-table.ts";

const MAIN = new URL("../../../packages/postern/src/cli/main.ts", import.meta.url).pathname;

let server: Server;
let url: string;
let home: string;
let answer: { status: number; body: unknown };
/** The keys that requests had. */
let keys: (string | undefined)[];

beforeAll(async () => {
  server = createServer((request, response) => {
    keys.push(request.headers.authorization);
    request.resume();
    response
      .writeHead(answer.status, {
        "Content-Type": "application/json",
        "X-Ignored-Parameters": "colour",
      })
      .end(JSON.stringify(answer.body));
  });
  url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  home = mkdtempSync(join(tmpdir(), "postern-cli-"));
});

afterAll(() => {
  server.close();
  rmSync(home, { recursive: true });
});

beforeEach(() => {
  keys = [];
  answer = { status: 200, body: IDENTITY };
  rmSync(join(home, "postern"), { recursive: true, force: true });
  rmSync(join(home, "stack"), { recursive: true, force: true });
});

const IDENTITY = {
  team: { id: "team_1", name: "Acme" },
  api_key: { id: "key_1", permissions: "send_only" },
  limits: { daily: 1, monthly: 2, delivery_rate_per_minute: 3 },
};

const TEMPLATE = { id: "template_1", name: "A", kind: "html", html: "<p>", has_draft: false };

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function postern(
  args: readonly string[],
  environment: Record<string, string> = {},
  input = "",
): Promise<Ran> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      XDG_CONFIG_HOME: home,
      POSTERN_STATE: join(home, "stack"),
      ...environment,
    },
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (data: Buffer) => (out += data.toString()));
  child.stderr.on("data", (data: Buffer) => (err += data.toString()));
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number];
  return { code, out, err };
}

const withKey = () => ({ POSTERN_URL: url, POSTERN_API_KEY: "ps_environment" });
const keyFile = () => join(home, "postern", "keys.json");

describe("the help", () => {
  it("names every command, and each command shows its forms, options and examples", async () => {
    const { out, code } = await postern([]);
    expect(code).toBe(0);
    const lines = out.split("\n").map((line) => line.trim().split(/ {2,}/));
    for (const { name, summary } of COMMANDS) expect(lines).toContainEqual([name, summary]);
    const shown = await postern(["templates", "--help"]);
    expect(shown.out).toContain("postern templates push [<folder>] [--publish] [--dry-run]");
    expect(shown.out).toMatch(/^ +--publish +Publish what was pushed$/m);
    expect(shown.out).toMatch(/Examples:\n {2}postern templates pull\n/);
    expect((await postern(["help", "templates"])).out).toBe(shown.out);
  });

  it("has an example for every command, which begins with the program or pipes into it", () => {
    for (const { name, examples } of COMMANDS) {
      expect(examples.length, name).toBeGreaterThan(0);
      for (const one of examples) expect(one).toMatch(RegExp(`(?:postern|npx \\S+) ${name}`));
    }
  });
});

describe("the version", () => {
  it.each([["--version"], ["-V"], ["send", "--version"]])(
    "is the package's: %s",
    async (...args) => {
      const about = readFileSync(join(dirname(MAIN), "../../package.json"), "utf8");
      const { version } = JSON.parse(about) as { version: string };
      expect(await postern(args)).toEqual({ code: 0, out: `${version}\n`, err: "" });
    },
  );
});

describe("the exit code", () => {
  const error = (status: number, type: string) => ({
    status,
    body: { error: { type, message: "No." } },
  });
  it.each([
    [422, "validation_error", 5],
    [401, "authentication_error", 3],
    [403, "permission_error", 3],
    [404, "not_found", 4],
    [409, "idempotency_concurrent", 5],
    [500, "internal_error", 1],
  ])("of a %i is that of its kind", async (status, type, expected) => {
    answer = error(status, type);
    const { code, err, out } = await postern(["keys", "delete", "key_1"], withKey());
    expect([code, out]).toEqual([expected, ""]);
    expect(err).toContain(`postern: ${status}: No.`);
  });

  it("of a quota is 6", async () => {
    answer = {
      status: 429,
      body: {
        error: "quota_exceeded",
        message: "Over.",
        scope: "daily",
        limit: 1,
        retry_after_seconds: 9,
      },
    };
    expect((await postern(["keys", "delete", "key_1"], withKey())).code).toBe(6);
  });

  it.each([
    ["an unknown command", ["nothing"], "there is no command nothing: login,"],
    ["an unknown action", ["domains", "buy"], "there is no action buy: list, add,"],
    ["a slip in a command", ["sned"], "there is no command sned; did you mean send?"],
    [
      "a slip in an action",
      ["domains", "veryfi"],
      "there is no action veryfi; did you mean verify?",
    ],
    ["an option before the command", ["--url", "whoami"], "postern <command> --url"],
    ["an unknown option", ["send", "--colour", "red"], "Unknown option '--colour': --url, --key,"],
    [
      "a slip in an option",
      ["send", "--form", "a@b.c"],
      "Unknown option '--form'; did you mean --from?",
    ],
    ["another command's option", ["suppressions", "--limit", "3"], "Unknown option '--limit': --"],
    ["an option without its value", ["send", "--from"], "--from needs a value: --from <address>"],
    [
      "an option in place of a value",
      ["send", "--text", "--html"],
      "--text needs a value, and --html looks like an option: --text=--html if it is none",
    ],
    ["a value of a switch", ["whoami", "--json=yes"], "--json takes no value"],
    ["a missing option", ["send", "--to", "a@example.net"], "--from is missing"],
    ["a missing word", ["domains", "add"], "the domain is missing"],
    [
      "metadata that is no JSON",
      ["send", "--from", "a@b.c", "--to", "a@b.c", "--variables", "{}", "--metadata", "{"],
      "--metadata is not JSON",
    ],
    [
      "a missing attachment",
      ["send", "--from", "a@b.c", "--to", "a@b.c", "--attach", "no,where.pdf"],
      "no,where.pdf can't be read: it does not exist\n",
    ],
    [
      "a folder as an attachment",
      ["send", "--from", "a@b.c", "--to", "a@b.c", "--attach", "/"],
      "/ can't be read: it is a folder\n",
    ],
    [
      "a missing import",
      ["suppressions", "import", "missing.csv"],
      "missing.csv can't be read: it does not exist\n",
    ],
    [
      "a missing folder of templates",
      ["templates", "push", "missing"],
      "missing can't be read: it does not exist\n",
    ],
    [
      "a template below a file",
      ["templates", "preview", MAIN],
      "can't be read: it is not a folder, or",
    ],
    ["a limit that is no number", ["events", "--limit", "many"], "--limit is not a number: many"],
  ])("of %s is 2, without a request", async (_, args, message) => {
    const { code, err } = await postern(args, withKey());
    expect(err).toContain(message);
    expect(err).not.toMatch(/\n {4}at /);
    expect([code, keys]).toEqual([2, []]);
  });

  it("of a file that can't be written is 2, and so is that of a file of keys that is none", async () => {
    answer = { status: 200, body: { data: [{ ...TEMPLATE }], has_more: false, next_cursor: null } };
    const pulled = await postern(["templates", "pull", MAIN], withKey());
    expect(pulled.err.split("\n").at(-2)).toBe(
      `postern: ${MAIN} can't be made: it is not a folder`,
    );
    mkdirSync(dirname(keyFile()), { recursive: true });
    writeFileSync(keyFile(), "{", { mode: 0o600 });
    const keyless = await postern(["whoami"]);
    expect(keyless.err).toContain(`postern: ${keyFile()} can't be read: it is not JSON`);
    expect([pulled.code, keyless.code]).toEqual([2, 2]);
  });

  it("of a deployment that gives no answer is 7", async () => {
    const { code, err } = await postern(["keys", "delete", "key_1"], {
      ...withKey(),
      POSTERN_URL: "http://127.0.0.1:2",
    });
    expect([code, err]).toEqual([7, "postern: http://127.0.0.1:2 gave no answer: ECONNREFUSED\n"]);
  });

  it("of a key that may not comes with what to do, and with --json as JSON", async () => {
    answer = error(403, "permission_error");
    expect((await postern(["domains"], withKey())).err).toContain(
      "needs a key with full permissions",
    );
    const { err, code } = await postern(["domains", "--json"], withKey());
    expect(code).toBe(3);
    expect(JSON.parse(err.split("\n").at(-2) ?? "")).toMatchObject({
      error: { status: 403, type: "permission_error" },
    });
  });
});

describe("what the API ignored", () => {
  it("is named on standard error, so that the output stays whole", async () => {
    const { out, err } = await postern(["whoami", "--json"], withKey());
    expect(err).toBe("postern: X-Ignored-Parameters: colour\n");
    expect(JSON.parse(out)).toMatchObject({ url, team: { name: "Acme" } });
  });
});

describe("the key", () => {
  it("comes from the environment before the login, and from there before the local stack", async () => {
    mkdirSync(join(home, "stack"));
    writeFileSync(
      join(home, "stack", "dev.json"),
      JSON.stringify({ api_url: url, api_key: "ps_stack" }),
    );
    await postern(["whoami"]);
    await postern(["login", "--url", url], {}, "ps_file\n");
    await postern(["whoami"]);
    await postern(["whoami"], withKey());
    expect(keys).toEqual(
      ["ps_stack", "ps_file", "ps_file", "ps_environment"].map((key) => `Bearer ${key}`),
    );
  });

  it("of a login lies in a file that only its user can read", async () => {
    const { out, code } = await postern(["login"], {}, `${url}/\nps_file\n`);
    expect(code).toBe(0);
    expect(out).toContain(`Logged in to ${url} as Acme (send_only).`);
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(keyFile())).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(keyFile(), "utf8"))).toEqual({
      current: url,
      keys: { [url]: "ps_file" },
    });
  });

  it("is not kept if the deployment does not take it, and not read if others can read it", async () => {
    answer = { status: 401, body: { error: { type: "authentication_error", message: "No." } } };
    expect((await postern(["login", "--url", url], {}, "ps_wrong\n")).code).toBe(3);
    expect(statSync(keyFile(), { throwIfNoEntry: false })).toBeUndefined();
    answer = { status: 200, body: IDENTITY };
    await postern(["login", "--url", url], {}, "ps_file\n");
    chmodSync(keyFile(), 0o644);
    const { code, err } = await postern(["whoami"]);
    expect(code).toBe(3);
    expect(err).toContain(`chmod 600 ${keyFile()}`);
  });

  it("that is nowhere is explained", async () => {
    const nowhere = await postern(["whoami"]);
    expect(nowhere).toMatchObject({
      code: 3,
      err: expect.stringContaining("postern login --url https://…") as string,
    });
    const keyless = await postern(["whoami", "--url", url]);
    expect(keyless).toMatchObject({
      code: 3,
      err: expect.stringContaining(`no key for ${url}`) as string,
    });
    expect(keys).toEqual([]);
  });
});

describe("the completion", () => {
  const shells = ["bash", "zsh", "fish"].map((shell) => ({
    shell,
    isThere: spawnSync(shell, ["--version"]).error === undefined,
  }));
  it.each(shells)(
    "for $shell names every command, and the shell can read it",
    async ({ shell, isThere }) => {
      const { out } = await postern(["completion", shell]);
      for (const { name } of COMMANDS) expect(out).toContain(name);
      expect(out).toContain("idempotency-key");
      if (isThere) expect(spawnSync(shell, ["-n"], { input: out }).stderr.toString()).toBe("");
    },
  );

  it("for bash completes commands, actions and options", async () => {
    const { out } = await postern(["completion", "bash"]);
    const complete = (words: readonly string[]) =>
      spawnSync("bash", [
        "-c",
        `${out}\nCOMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _postern; echo "\${COMPREPLY[@]}"`,
      ])
        .stdout.toString()
        .trim();
    expect(complete(["postern", "sup"])).toBe("suppressions");
    expect(complete(["postern", "templates", "p"])).toBe("pull push preview");
    expect(complete(["postern", "events", "--fo"])).toBe("--follow");
  });
});
