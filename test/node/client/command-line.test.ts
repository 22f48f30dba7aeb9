// Tests the command line (docs/command-line.md): help, exit codes, where the key comes from,
// completion. test/node/client/command-actions.test.ts tests its actions, and
// test/stack/package.test.ts runs it as a program against a real stack.
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { actionsOf, allOptions, optionsOf } from "../../../packages/postern/src/cli/command.ts";
import { COMMANDS } from "../../../packages/postern/src/cli/command-table.ts";
import { EXIT } from "../../../packages/postern/src/cli/exit-codes.ts";
import { CliHarness } from "./cli-harness.ts";

const MAIN = new URL("../../../packages/postern/src/cli/main.ts", import.meta.url).pathname;

const cli = new CliHarness().use();
const keyFile = () => join(cli.home, "postern", "keys.json");
const keys = () => cli.requests.map(({ headers }) => headers.authorization);

beforeEach(() => {
  cli.answer(IDENTITY);
});

const IDENTITY = {
  team: { id: "team_1", name: "Acme" },
  api_key: { id: "key_1", permissions: "send_only" },
  limits: { daily: 1, monthly: 2, delivery_rate_per_minute: 3 },
};

const TEMPLATE = { id: "template_1", name: "A", kind: "html", html: "<p>", has_draft: false };

describe("the help", () => {
  it("names every command, and each command shows its forms, options and examples", async () => {
    const { out, code } = await cli.postern([]);
    expect(code).toBe(0);
    const lines = out.split("\n").map((line) => line.trim().split(/ {2,}/));
    for (const { name, summary } of COMMANDS) expect(lines).toContainEqual([name, summary]);
    const shown = await cli.postern("templates push --help");
    expect(shown.out).toContain("postern templates push [<folder>] [--publish] [--dry-run]\n");
    expect(shown.out).toMatch(/^ +--publish +Publish the pushed templates$/m);
    expect(shown.out).toMatch(/Examples:\n {2}postern templates push --publish\n$/);
    expect((await cli.postern("help templates push")).out).toBe(shown.out);
    const group = await cli.postern("templates --help");
    expect(group.out).toMatch(/^ {2}push \[<folder>\] {2,}Create the templates/m);
    expect(group.out).toMatch(/Examples:\n {2}postern templates pull\n/);
  });

  it("of each action names its options, and --yes for an action that destroys", async () => {
    for (const command of COMMANDS)
      for (const action of actionsOf(command)) {
        const path = "actions" in command ? [command.name, action.name] : [command.name];
        const { out, code } = await cli.postern([...path, "--help"]);
        expect([code, out]).toEqual([0, expect.stringContaining(`${action.summary}.\n`)]);
        const form = ["postern", ...path, action.takes ?? ""].join(" ").trimEnd();
        expect(out).toContain(`Usage:\n  ${form}`);
        for (const name of Object.keys(optionsOf(action))) expect(out).toContain(`--${name}`);
        expect(out.includes("--yes"), form).toBe(action.asks !== undefined);
      }
  });

  it("has one type for an option that several actions of a command have", () => {
    for (const command of COMMANDS)
      for (const action of actionsOf(command))
        for (const [name, { value, multiple }] of Object.entries(optionsOf(action))) {
          const { [name]: one } = allOptions(command);
          const found = [one?.value === undefined, one?.multiple];
          expect(found).toEqual([value === undefined, multiple]);
        }
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
      expect(await cli.postern(args)).toEqual({ code: 0, out: `${version}\n`, err: "" });
    },
  );
});

const error = (status: number, type: string) => {
  return { status, body: { error: { type, message: "No." } } };
};

describe("the exit code", () => {
  it("is one of those that docs/command-line.md explains", () => {
    const page = readFileSync(new URL("../../../docs/command-line.md", import.meta.url), "utf8");
    const [, section = ""] = page.split("### Exit codes");
    const documented = Array.from(section.matchAll(/^\| (\d) \| /gm), ([, code]) => Number(code));
    expect(documented).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(Object.values(EXIT)).toEqual(documented);
  });

  it("is 6 for an exceeded quota", async () => {
    const quota = { scope: "daily", limit: 1, retry_after_seconds: 9 };
    const body = { error: "quota_exceeded", message: "Over.", ...quota };
    cli.answers = [{ status: 429, body }];
    expect((await cli.postern("keys delete key_1")).code).toBe(6);
  });

  it.each([
    ["an unknown command", "nothing", "there is no command nothing: login,"],
    ["an unknown action", "domains buy", "there is no action buy: list, add,"],
    ["a slip in a command", "sned", "there is no command sned; did you mean send?"],
    ["a slip in an action", "domains veryfi", "there is no action veryfi; did you mean verify?"],
    ["an option before the command", "--url whoami", "postern <command> --url"],
    ["an unknown option", "send --colour red", "Unknown option '--colour': --url, --key,"],
    ["a slip in an option", "send --form a@b.c", "Unknown option '--form'; did you mean --from?"],
    ["another command's option", "suppressions --limit 3", "Unknown option '--limit': --"],
    ["an option without its value", "send --from", "--from needs a value: --from <address>"],
    [
      "an option in place of a value",
      "send --text --html",
      "--text needs a value, and --html looks like an option: write --text=--html to use it as the value",
    ],
    ["a value of a switch", "whoami --json=yes", "--json takes no value"],
    ["a missing option", "send --to a@example.net", "--from is missing"],
    ["a missing word", "domains add", "<name> is missing: postern domains add <name>"],
    ["a word too many", "keys delete a b", "b is one word too many: postern keys delete"],
    ["an id of dots", "emails get ..", "<id> can't be empty or dots"],
    ["an option of another action", "keys list --ip ::1", "Unknown option '--ip': --url"],
    [
      "metadata that is no JSON",
      "send --from a@b.c --to a@b.c --variables {} --metadata {",
      "--metadata is not JSON",
    ],
    [
      "a missing attachment",
      "send --from a@b.c --to a@b.c --attach no,where.pdf",
      "no,where.pdf can't be read: it does not exist\n",
    ],
    [
      "a folder as an attachment",
      "send --from a@b.c --to a@b.c --attach /",
      "/ can't be read: it is a folder\n",
    ],
    ["a missing import", "suppressions import a.csv", "a.csv can't be read: it does not exist\n"],
    ["a missing folder", "templates push missing", "missing can't be read: it does not exist\n"],
    ["a template in a file", `templates preview ${MAIN}`, "can't be read: it is not a folder, or"],
    ["a limit that is no number", "events --limit many", "--limit is not a number: many"],
  ])("is 2 for %s, without a request", async (_, words, message) => {
    const { code, err } = await cli.postern(words);
    expect(err).toContain(message);
    expect(err).not.toMatch(/\n {4}at /);
    expect([code, keys()]).toEqual([2, []]);
  });

  it("is 2 for a file that can't be written, and for a file of keys that is not valid", async () => {
    cli.answer({ data: [TEMPLATE], has_more: false, next_cursor: null }, TEMPLATE);
    const pulled = await cli.postern(["templates", "pull", MAIN]);
    const said = `postern: ${MAIN} can't be made: it is not a folder`;
    expect(pulled.err.split("\n").at(-2)).toBe(said);
    mkdirSync(dirname(keyFile()), { recursive: true });
    writeFileSync(keyFile(), "{", { mode: 0o600 });
    const keyless = await cli.keyless("whoami");
    expect(keyless.err).toContain(`postern: ${keyFile()} can't be read: it is not JSON`);
    expect([pulled.code, keyless.code]).toEqual([2, 2]);
  });

  it("is 7 if the deployment gives no answer", async () => {
    const environment = { POSTERN_URL: "http://127.0.0.1:2" };
    const { code, err } = await cli.postern("keys delete key_1", { environment });
    expect([code, err]).toEqual([7, "postern: http://127.0.0.1:2 gave no answer: ECONNREFUSED\n"]);
  });

  it("comes with advice if the key lacks the permission, and with --json as JSON", async () => {
    cli.answers = [error(403, "permission_error")];
    expect((await cli.postern("domains")).err).toContain("use a key with full permissions");
    const { err, code } = await cli.postern("domains --json");
    expect(code).toBe(3);
    const shown: unknown = JSON.parse(err.split("\n").at(-2) ?? "");
    expect(shown).toMatchObject({ error: { status: 403, type: "permission_error" } });
  });
});

describe("a member that the API ignored", () => {
  it("is named on standard error, so that the output stays whole", async () => {
    const headers = { "X-Ignored-Parameters": "colour" };
    cli.answers = [{ status: 200, body: IDENTITY, headers }];
    const { out, err } = await cli.postern("whoami --json");
    expect(err).toBe("postern: X-Ignored-Parameters: colour\n");
    expect(JSON.parse(out)).toMatchObject({ url: cli.url, team: { name: "Acme" } });
  });
});

describe("the key", () => {
  it("comes from the environment, else from the login, else from the local stack", async () => {
    mkdirSync(join(cli.home, "stack"));
    const stack = JSON.stringify({ api_url: cli.url, api_key: "ps_stack" });
    writeFileSync(join(cli.home, "stack", "dev.json"), stack);
    await cli.keyless("whoami");
    await cli.keyless(["login", "--url", cli.url], { input: "ps_file\n" });
    await cli.keyless("whoami");
    await cli.postern("whoami");
    const used = ["ps_stack", "ps_file", "ps_file", "ps_environment"];
    expect(keys()).toEqual(used.map((key) => `Bearer ${key}`));
  });

  it("of a login is stored in a file that only its user can read", async () => {
    const { out, code } = await cli.keyless("login", { input: `${cli.url}/\nps_file\n` });
    expect(code).toBe(0);
    expect(out).toContain(`Logged in to ${cli.url} as Acme (send_only).`);
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(keyFile())).mode & 0o777).toBe(0o700);
    const saved: unknown = JSON.parse(readFileSync(keyFile(), "utf8"));
    expect(saved).toEqual({ current: cli.url, keys: { [cli.url]: "ps_file" } });
  });

  it("is not stored if the deployment refuses it, and not used if other users can read it", async () => {
    cli.answers = [error(401, "authentication_error")];
    expect((await cli.keyless(["login", "--url", cli.url], { input: "ps_wrong\n" })).code).toBe(3);
    expect(statSync(keyFile(), { throwIfNoEntry: false })).toBeUndefined();
    cli.answer(IDENTITY);
    await cli.keyless(["login", "--url", cli.url], { input: "ps_file\n" });
    chmodSync(keyFile(), 0o644);
    const { code, err } = await cli.keyless("whoami");
    expect(code).toBe(3);
    expect(err).toContain(`chmod 600 ${keyFile()}`);
  });

  it("causes an explained error if it is missing everywhere", async () => {
    const nowhere = await cli.keyless("whoami");
    expect(nowhere.err).toContain("postern login --url https://…");
    const keyless = await cli.keyless(["whoami", "--url", cli.url]);
    expect(keyless.err).toContain(`no key for ${cli.url}`);
    expect([nowhere.code, keyless.code]).toEqual([3, 3]);
    expect(keys()).toEqual([]);
  });
});

describe("the completion", () => {
  it.each(["bash", "zsh", "fish"])(
    "for %s names every command, action and option",
    async (shell) => {
      const { out } = await cli.postern(["completion", shell]);
      for (const { name } of COMMANDS) expect(out).toContain(name);
      for (const word of ["preview", "idempotency-key"]) expect(out).toContain(word);
    },
  );
});
