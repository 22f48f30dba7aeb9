// Tests `npm run shard` (tools/shards/, docs/scaling.md). It adds a shard first to wrangler.toml
// and then to the account, and only once. Its other actions call the operator API.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AnsweringApi } from "./answering-api.ts";
import { newContext } from "../../tools/setup/setup-context.ts";
import { readDeployConfig } from "../../tools/setup/deploy-config.ts";
import { runSteps } from "../../tools/setup/steps/run-steps.ts";
import { databases } from "../../tools/setup/steps/databases.ts";
import { addCore, addShard } from "../../tools/shards/add.ts";
import { listShards } from "../../tools/shards/list.ts";
import { widenTeam } from "../../tools/shards/widen-team.ts";
import { emptyAccount } from "../../tools/dev/account/cloudflare-account.ts";
import { WranglerDouble } from "../../tools/dev/account/wrangler-double.ts";
import { startedClock } from "../setup/started-clock.ts";
import { ZONE } from "../setup/test-zone.ts";
import { type CommandSurroundings, runCommand } from "../../tools/setup/run-command.ts";
import { shardCommand } from "../../tools/shards/shard-command.ts";
import { withNextCore, withNextShard } from "../../tools/shards/wrangler-toml.ts";

const ROOT = join(import.meta.dirname, "../..");
const TOML = readFileSync(join(ROOT, "wrangler.toml"), "utf8");

describe("wrangler.toml", () => {
  it("gets the next shard and its setting, and keeps all other lines", () => {
    const added = withNextShard(TOML);
    expect(added).toMatchObject({ shard: 1, binding: "SHARD_1", database: "postern-shard-1" });
    const before = TOML.split("\n");
    const lines = added.text.split("\n");
    const isKept = before.every((line, index) => lines.indexOf(line, index) >= index);
    expect(isKept).toBe(true);
    expect(lines).toHaveLength(before.length + 6);
    expect(added.text).toContain(
      '\n\n[[d1_databases]]\nbinding = "SHARD_1"\ndatabase_name = ' +
        '"postern-shard-1"\nmigrations_dir = "migrations/shard"\n\n',
    );
    const [, afterVars = ""] = added.text.split("[vars]");
    expect(afterVars.split("[[d1_databases]]")[0]).toContain('\nSHARDS_FOR_NEW_TEAMS = "1"\n');
  });

  it("gets a second shard, and the setting moves to it", () => {
    const { text } = withNextShard(withNextShard(TOML).text);
    const bindings = [0, 1, 2].map((shard) => `binding = "SHARD_${shard}"`);
    expect(text.match(/^binding = "SHARD_\d+"$/gm)).toEqual(bindings);
    expect(text.match(/^SHARDS_FOR_NEW_TEAMS.*$/gm)).toEqual(['SHARDS_FOR_NEW_TEAMS = "2"']);
  });

  it("leaves another database's id alone", () => {
    const other = 'database_name = "mail-0"\ndatabase_id = "0123"\n';
    const withId = TOML.replace('database_name = "postern-shard-0"\n', other);
    const { text, database } = withNextShard(withId);
    expect(database).toBe("mail-1");
    expect(text.match(/database_id/g)).toHaveLength(1);
  });

  it("gets further core databases after the first, and keeps all other lines", () => {
    const added = withNextCore(TOML);
    expect(added).toMatchObject({ shard: 1, binding: "CORE_1", database: "postern-core-1" });
    const block =
      '[[d1_databases]]\nbinding = "CORE_1"\ndatabase_name = "postern-core-1"\n' +
      'migrations_dir = "migrations/core"\n\n';
    expect(added.text.replace(block, "")).toBe(TOML);
    const { text } = withNextCore(added.text);
    const bindings = ["DB", "CORE_1", "CORE_2", "SHARD_0"].map((name) => `binding = "${name}"`);
    expect(text.match(/^binding = "(?:DB|CORE_\d|SHARD_\d)"$/gm)).toEqual(bindings);
    expect(() => withNextCore(TOML.replaceAll('"DB"', '"OTHER"'))).toThrow("binds no DB");
    const full = added.text.replace('"CORE_1"', '"CORE_15"');
    expect(() => withNextCore(full)).toThrow("no core databases beyond 15");
  });

  it.each([
    ["binds no SHARD_0", TOML.replaceAll("SHARD_0", "OTHER")],
    ["beyond 255", TOML.replaceAll('"SHARD_0"', '"SHARD_255"')],
    ["has no [vars]", TOML.replace("[vars]", "[other]")],
  ])("is not changed if there is the error %j", (words, text) => {
    expect(() => withNextShard(text)).toThrow(words);
  });
});

describe("npm run shard -- add", () => {
  let root: string;
  let said: string[];
  const say = (line: string) => void said.push(line);
  const toml = () => readFileSync(join(root, "wrangler.toml"), "utf8");

  beforeEach(() => {
    said = [];
    root = mkdtempSync(join(tmpdir(), "shards-"));
    copyFileSync(join(ROOT, "wrangler.toml"), join(root, "wrangler.toml"));
    for (const name of ["migrations", "src", "public"])
      symlinkSync(join(ROOT, name), join(root, name));
  });

  afterEach(() => rmSync(root, { recursive: true }));

  it("only prints its actions in a dry run", async () => {
    const deploy = vi.fn<() => Promise<number>>();
    await addShard({ root, dryRun: true, say, deploy });
    expect(deploy).not.toHaveBeenCalled();
    expect(toml()).toBe(TOML);
    expect(said.join("\n")).toMatch(
      /bind +SHARD_1 to the database postern-shard-1.*\n.*SHARDS_FOR_NEW_TEAMS = "1".*\n.*create postern-shard-1, apply 0000_.*\.sql.* to it, and deploy\nNothing was changed/,
    );
  });

  it("deploys after the file is changed, and a failed deployment can be continued", async () => {
    let seen = "";
    await addShard({ root, dryRun: false, say, deploy: async () => ((seen = toml()), 0) });
    expect(seen).toContain('binding = "SHARD_1"');
    const failing = addShard({ root, dryRun: false, say, deploy: async () => 1 });
    const reason = "the deployment failed; wrangler.toml already has shard 2";
    await expect(failing).rejects.toThrow(reason);
    const bindings = readDeployConfig(root).databases.map(({ binding }) => binding);
    expect(bindings).toEqual(["DB", "SHARD_0", "SHARD_1", "SHARD_2"]);
  });

  const before = { "postern-core": ["x"], "postern-shard-0": ["x"] };

  it.each([
    ["core", addCore, "postern-core-1", "0000_resources.sql"],
    ["shard", addShard, "postern-shard-1", "0000_"],
  ] as const)(
    "adds one database for a %s, which the deployment creates and migrates",
    async (_, add, name, migration) => {
      const wrangler = new WranglerDouble({ ...emptyAccount(ZONE), databases: { ...before } });
      const around = surroundings(root, say, wrangler);
      const options = { yes: true, dryRun: false, onConflict: "stop" } as const;
      const deploy = async () =>
        (await runSteps([databases], newContext(options, around))) === "failed" ? 1 : 0;
      await add({ root, dryRun: false, say, deploy });
      const made = wrangler.account.databases;
      expect(Object.keys(made)).toEqual([...Object.keys(before), name]);
      expect(made[name]?.[0]).toContain(migration);
      expect(said.join("\n")).toContain(`${name}: created`);
    },
  );

  it("says what it would do for a core database, and how a local stack gets one", async () => {
    await addCore({ root, dryRun: true, say, deploy: null });
    expect(said.join("\n")).toMatch(
      /bind +CORE_1 to the database postern-core-1.*\n.*takes all new teams.*\n.*create postern-core-1, apply 0000_resources/,
    );
    expect(toml()).toBe(TOML);
    await addCore({ root, dryRun: false, say, deploy: null });
    expect(said.at(-1)).toBe("Start npm start again: it creates and migrates postern-core-1.");
  });
});

describe("npm run shard -- list and widen", () => {
  const server = new AnsweringApi().use();
  const said: string[] = [];
  const api = () => ({
    url: server.url,
    adminToken: "token",
    say: (line: string) => void said.push(line),
  });
  const asked = () =>
    server.requests.map(({ line, headers, body }) => `${line} ${headers.authorization} ${body}`);

  beforeEach(() => {
    said.length = 0;
  });

  it("lists the core databases and the shards", async () => {
    const shards = [
      { shard: 0, teams: 12, size: 7_412_031_488, takes_new_teams: false },
      { shard: 1, teams: 3, size: 40_960, takes_new_teams: true },
      { shard: 12, teams: 0, size: null, takes_new_teams: false },
    ];
    const cores = [
      { core_shard: 0, teams: 15, size: 81_920, takes_new_teams: false },
      { core_shard: 1, teams: null, size: null, takes_new_teams: true },
    ];
    server.answers = [{ status: 200, body: { shards, core_shards: cores } }];
    await listShards(api());
    expect(asked()).toEqual(["GET /admin/shards Bearer token "]);
    expect(said).toEqual([
      "core  0         15 teams   0.00 GB",
      "core  1          ? teams  does not answer, takes new teams",
      "shard 0         12 teams   7.41 GB",
      "shard 1          3 teams   0.00 GB, takes new teams",
      "shard 12         0 teams  does not answer",
    ]);
  });

  const widened = (...shards: number[]) => {
    const before = { from: "2026-11-01", shards: [0] };
    return { status: 200, body: { shards: [before, { from: "2026-11-23", shards }] } };
  };

  it("widens a team by the named shards, and names those that were left out", async () => {
    server.answers = [{ status: 503, body: {} }, widened(1, 2)];
    await widenTeam(api(), "team_1", [0, 1, 2], false);
    const body = '{"shards":[0,1,2],"dry_run":false}';
    expect(asked()).toEqual(Array(2).fill(`POST /admin/teams/team_1/shards Bearer token ${body}`));
    expect(said).toEqual([
      "from 2026-11-01  shard 0",
      "from 2026-11-23  shards 1, 2",
      "left out, because full: 0",
    ]);
  });

  it("lets the service choose when no shard is named, and changes nothing in a dry run", async () => {
    server.answers = [widened(0, 1)];
    await widenTeam(api(), "team_1", [], true);
    expect(asked()).toEqual(['POST /admin/teams/team_1/shards Bearer token {"dry_run":true}']);
    expect(said.slice(1)).toEqual(["from 2026-11-23  shards 0, 1", "Nothing was changed."]);
  });

  it("stops at a refusal and prints its message", async () => {
    const words = "must be shards of this deployment, and 9 is not one";
    const error = { message: "The request is invalid.", errors: { shards: [words] } };
    server.answers = [{ status: 422, body: { error } }];
    await expect(widenTeam(api(), "team_1", [9], false)).rejects.toMatchObject({
      message: expect.stringContaining(words),
      // The error suggests no second run, because it would fail in the same way.
      mend: "",
    });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [[], 0, "widen <team> [shards…]"],
    [["widen", "team_1", "x"], 1, "unknown command"],
    [["add", "--nonsense"], 1, "--nonsense"],
    [["list"], 1, "set API_URL and ADMIN_TOKEN"],
    [["list", "--local"], 1, "start it by npm start"],
  ])("prints the usage for %j", async (args, code, words) => {
    const around = surroundings(join(tmpdir(), "nothing"), (text) => void said.push(text));
    expect(await runCommand("shard", shardCommand, args, around)).toBe(code);
    expect(said.join("")).toContain(words);
  });
});

/** The surroundings of a command whose output `say` gets. */
function surroundings(
  root: string,
  say: (text: string) => void,
  wrangler = new WranglerDouble(emptyAccount(ZONE)),
): CommandSurroundings {
  const output = new Writable({ write: (chunk, _, done) => (say(String(chunk)), done()) });
  return {
    root,
    environment: { POSTERN_STATE: join(root, "state") },
    input: Readable.from([]),
    output,
    errors: output,
    clock: startedClock(),
    runWrangler: wrangler.run,
  };
}
