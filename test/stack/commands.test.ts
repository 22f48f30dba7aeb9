// Runs every command of README.md, CONTRIBUTING.md, docs/*.md and smtp-gateway/README.md against
// one local stack and checks its output. A table says why a command can't run here, and which test
// covers it. The test fails if neither table knows a command, or if no page uses an entry of a
// table.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { hasTool } from "../support/outside-tools.ts";
import { STATE, sharedStack } from "./shared-stack.ts";
import { runProgram } from "./run-program.ts";
import { ofFile } from "../support/before-tests.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  "smtp-gateway/README.md",
  ...readdirSync(join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
/** The package's sources, which need no build. */
const POSTERN = join(ROOT, "packages/postern/src/cli/main.ts");
const CLIENT = join(ROOT, "packages/postern/src/client/postern.ts");
const MAIL = /^\{"id":"email_[0-9a-f-]{36}","created_at":"[^"]+"(?:,"scheduled_at":"[^"]+")?\}$/;
const NOT_FOUND = /"type":"not_found"/;

interface Command {
  readonly page: string;
  readonly text: string;
}

/** The beginning of a documented command, and the output that it must have. */
const RUN: readonly (readonly [begins: string, prints: RegExp])[] = [
  ["export POSTERN_API_KEY=$(node -p ", /^ps_[0-9A-Za-z]{40}$/],
  ["curl -sS http://127.0.0.1:8787/v1/email ", MAIL],
  ['curl -sS "http://127.0.0.1:8787/v1/events"', /^\{"data":\[.*"has_more":/],
  ["curl -sS -X PUT http://127.0.0.1:8025/api/rules ", /^/],
  ["swaks --server 127.0.0.1:2587 ", /<~ {2}250 2\.0\.0 email_/],
  ["printf 'From: hello@example.test", /^$/],
  [
    "curl -sS http://127.0.0.1:8787/v1/templates/preview ",
    /^\{"subject":"Receipt ","html":"<p>Dear Ada<\/p>","text":"Dear Ada",.*"problems":\[\]\}$/,
  ],
  [
    "curl -sS http://127.0.0.1:8787/v1/email/check ",
    /^\{"problems":\[\{"rule":"links","severity":"error","where":\{"field":"html","line":1,"column":1\}/,
  ],
  ["curl -sS http://127.0.0.1:8787/v1/templates -H ", /^\{"id":"template_[^]*"alias":"welcome"/],
  ["curl -sS -X POST http://127.0.0.1:8787/v1/templates/welcome/publish", /"published_at":"20/],
  ['curl -sS "$URL/healthz"', /^\{"status":"ok","checks":\{"settings":true/],
  ['curl -sS "$URL/admin/deployment"', /"gateways":\[\{"url":"[^"]+","state":"agreed"/],
  ['curl -sS "$URL/admin/metrics"', /^postern_open_recipients\{state="awaiting"\} \d+$/m],
  ['curl -sS "$URL/admin/attention"', /^\{"checked_at":"[^]*"worst":\[/],
  ['curl -sS "$URL/admin/teams/team_…/deliverability"', NOT_FOUND],
  ['curl -sS "$URL/admin/teams/team_…/usage"', NOT_FOUND],
  ['curl -sS "$URL/admin/teams/team_…/invitations"', NOT_FOUND],
  ['curl -sS "$URL/admin/dead-letters?', /^\{"data":\[\],"has_more":false/],
  ['curl -sS -X POST "$URL/admin/dead-letters/dead_…/requeue"', NOT_FOUND],
  ['curl -sS -X DELETE "$URL/admin/dead-letters/dead_…"', NOT_FOUND],
  ['curl -sS "$API/v1/webhooks" ', /^\{"id":"wh_[^]*"signing_secret":"whsec_/],
  ['curl -sS -X POST "$API/v1/webhooks/$WEBHOOK/replay"', /^\{"id":"rpl_/],
  [
    "npm run doctor",
    /^ok +worker\.health [^]*^ok +smtp\.tls [^]*^ok +message [^]* 0 warning, 0 critical,/m,
  ],
  ["npx postern whoami", /^Deployment +http:\/\/127\.0\.0\.1:\d+\nTeam +Local development\n/],
  ["npm run -s postern -- send ", /^Accepted: email_[0-9a-f-]{36}$/],
  ["npm run -s postern -- why ", /^.*example\.net.*\.$/m],
  ["npx postern send ", /^Accepted: email_[0-9a-f-]{36}$/],
  ["npx postern why someone@example.net", /^.*example\.net.*\.$/m],
  ["npx postern events --limit 5", /email\.(?:sent|delivered) /],
  ["npx postern domains", /^NAME +STATUS +TRACKING +ID\n/],
  ["npx postern domains show example.test", /^example\.test is verified\.\n[^]*^dmarc +ok /m],
  ["npx postern emails --recipient someone@example.net", /^ACCEPTED .*\n[^]*email_[0-9a-f-]{36}$/],
  ["npx postern emails list --scheduled", /^ACCEPTED .*\n[^]* scheduled 20[^]* Later +email_/],
  ["npx postern emails cancel --campaign launch", /^Canceled: \d+ of launch\.$/],
  ['echo \'{"from":"hello@example.test"', /^Accepted: 1$/],
  ["npx postern stats --by provider", /^20\S+ \S+ to 20.*, UTC\n/],
  ["npx postern deliverability", /^20\S+ \S+ to 20.*, UTC\n/],
  ["npx postern replies", /^$/],
  ["npx postern api GET /v1/whoami", /"permissions":"full"[^]*"delivery_rate_per_minute":/],
  ['npx postern api GET "/v1/webhooks/$WEBHOOK/deliveries', /^\{"data":\[/],
  ["npx postern api GET '/v1/events?", /^\{"data":\[\{[^]*"type":"email\.sent"[^]*\}$/],
  ["npx postern api POST /v1/templates/preview ", /^\{"subject":null,"html":"<p>Dear Ada<\/p>"/],
  ["npx postern api GET /v1/suppressions/export", /^email,/],
  ["npx postern webhooks", /^NAME +STATUS +URL +ID\n/],
  [
    "npx postern send --from hello@example.test --to someone@example.net --subject Later",
    /^Accepted: email_\S+\nThe message goes out at 20.* UTC \(in 2 hours\)\.$/,
  ],
  ["npx postern suppressions", /^ADDRESS +FOR +REASON/],
  ["npx postern keys", /^First key +ps_\S+ +full/m],
  ['eval "$(npx postern completion bash)"', /^$/],
  ["npm run shard -- list", /shard 0 .* teams .* GB, takes new teams/],
  ["npm run shard -- add --dry-run", /would bind +SHARD_1 [^]*Nothing was changed\./],
  ["npm run shard -- core add --dry-run", /would bind +CORE_1 [^]*Nothing was changed\./],
];

/**
 * Why this test does not run some documented commands, with a test that runs each or a similar
 * command, and the beginnings of the commands.
 */
const REASONS: Readonly<Record<string, readonly string[]>> = {
  "test/stack/stack-setup.ts is it, on other ports": ["npm start"],
  "needs an account of its own: test/programs/setup/account-stack.test.ts": [
    "npm start -- --account=",
    ". .postern/account/env.sh",
    "curl -sS -X PUT http://127.0.0.1:8055/",
  ],
  "needs the front: test/e2e/tracking-walk.test.ts": [
    "curl --proxy http://127.0.0.1:8443 ",
    "curl -sS -X PUT http://127.0.0.1:8443/",
  ],
  "test/setup/accounts.test.ts does so": ["POSTERN_STATE=.postern-staging DEPLOYMENT="],
  "takes a minute: test/programs/node/built-package.test.ts builds the same": [
    "npm run package",
    "(mkdir -p ../mail ",
  ],
  "the repository is not public": ["git clone https://github.com/OWNER/postern "],
  "is the same stack": ["MINIFLARE_WORKERD_V8_FLAGS=--max-semi-space-size=2 npm start"],
  "is a stack of its own: test/e2e/email-service-scenarios.test.ts": [
    "OUTBOUND=cloudflare npm start",
    "curl -sS -X PUT http://127.0.0.1:8054/",
    "curl -sS -X POST http://127.0.0.1:8054/",
  ],
  "goes on until Ctrl-C: test/dev/listen.test.ts": [
    "npm run listen -- --forward http://localhost:3000/hook",
    "POSTERN_API_KEY=ps_… npm run listen",
  ],
  "needs a batch that was posted: test/api/webhooks/webhooks-batch.test.ts": [
    'curl -sS "$API/v1/webhooks/$WEBHOOK/batches/$BATCH"',
  ],
  "asks for a key: test/node/client/command-line.test.ts": ["npx postern login"],
  "needs files: test/node/client/check-command.test.ts": ["npx postern check"],
  "writes into this folder, or needs an agent: test/stack/package.test.ts": [
    "npx postern templates",
    "claude mcp add",
  ],
  "needs an account and the network": ["cloudflared tunnel"],
  "takes minutes or changes files: .ci/run": ["npm test", "npm run check", "npm run fix"],
  "changes files: test/node/release/release-command.test.ts has what they write": [
    "npm run stamp",
    "npm run release",
  ],
  "is what runs this": ["npm run test:stacks"],
  "takes minutes: test/chaos/chaos.test.ts runs a part": ["npm run test:chaos"],
  "takes minutes and a quiet machine": ["npm run bench "],
  "needs a Cloudflare account, which test/setup/setup.test.ts replaces by a double": [
    "npx wrangler ",
    "npm run setup",
    "EMAIL_API_TOKEN=… npm run setup",
    "npm run deploy",
  ],
  "changes a setting of D1's own": ['curl -X PUT "https://api.cloudflare.com/'],
  "needs a deployment: test/setup/doctor.test.ts": ["npm run doctor -- --url"],
  "needs systemd, and root: test/gateway/systemd.test.ts": [
    "cp systemd/postern-gateway.service ",
    "journalctl ",
  ],
  "needs a gateway as a service: test/gateway/gateway-health.test.ts": [
    "curl -sS http://127.0.0.1:2580/readyz",
  ],
  "needs a container engine, or root: test/setup/gateway-page.test.ts": ["docker ", "install "],
  "needs a public name: test/gateway/submission/submission-certificates.test.ts has renewals": [
    "certbot ",
    "lego ",
  ],
  "needs root and certbot's files": ["chgrp ", "chmod "],
  "needs a Cloudflare account: test/node/shard-command.test.ts": [
    "npm run shard -- core add",
    "npm run shard -- add",
    "npm run shard -- widen",
  ],
};
const NOT_RUN = Object.entries(REASONS).flatMap(([why, all]) =>
  all.map((begins) => [begins, why] as const),
);

const commands = PAGES.flatMap((page) => commandsIn(page));

/**
 * Splits a shell block into commands. A command continues after a line that ends in `\` or `|`, or
 * inside quotes. Comments are not commands.
 */
function commandsIn(page: string): Command[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  return Array.from(text.matchAll(/^```sh\n([^]*?)^```$/gm), ([, block = ""]) => block).flatMap(
    (block) => {
      const found: string[] = [];
      let open = "";
      for (const line of block.split("\n")) {
        open += open === "" ? line : `\n${line}`;
        const goesOn =
          /[\\|]$/.test(line) || (open.replace(/\\./g, "").match(/'/g)?.length ?? 0) % 2 === 1;
        if (goesOn) continue;
        const command = open.replace(/\s+# [^\n']*$/, "").trim();
        if (command !== "" && !command.startsWith("#")) found.push(command);
        open = "";
      }
      if (open !== "") throw new Error(`${page}: a command that does not end:\n${open}`);
      return found.map((one) => ({ page, text: one }));
    },
  );
}

/** Returns the entry whose text the command begins with. If several fit, the longest one wins. */
function entryFor<Entry extends readonly [string, unknown]>(
  table: readonly Entry[],
  text: string,
): Entry | undefined {
  return table
    .filter(([begins]) => text.startsWith(begins))
    .toSorted(([left], [right]) => right.length - left.length)[0];
}

const isRun = (text: string): boolean =>
  (entryFor(RUN, text)?.[0].length ?? 0) > (entryFor(NOT_RUN, text)?.[0].length ?? 0);

describe("the commands of README.md, docs and smtp-gateway", () => {
  it("are each in one of the two tables", () => {
    expect(commands.length).toBeGreaterThan(20);
    expect(commands.filter(({ text }) => !entryFor(RUN, text) && !entryFor(NOT_RUN, text))).toEqual(
      [],
    );
    const optional = new Set(["npm run setup"]);
    const stale = [...RUN, ...NOT_RUN].filter(
      ([begins]) => !commands.some(({ text }) => text.startsWith(begins)) && !optional.has(begins),
    );
    expect(stale).toEqual([]);
  });

  it("name existing scripts", () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    const named = commands.flatMap(({ text }) =>
      Array.from(text.matchAll(/\bnpm (?:run )?(?:-s )?([a-z:]+)/g), ([, name = ""]) => name),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => name !== "install" && !(name in scripts))).toEqual([]);
  });
});

describe("at a local stack", () => {
  const stack = ofFile(sharedStack);
  const variables: Record<string, string> = {};

  beforeAll(async () => {
    const { api_url: url, api_key: key, admin_token: token } = stack.dev;
    const hook = { name: "Here", url: "http://127.0.0.1:9/", events: ["email.bounced"] };
    const { id } = await stack.ask<{ id: string }>("POST", "/v1/webhooks", hook);
    Object.assign(variables, {
      URL: url,
      API: url,
      API_URL: url,
      API_KEY: key,
      ADMIN_TOKEN: token,
      WEBHOOK: id,
      POSTERN_STATE: STATE,
      XDG_CONFIG_HOME: STATE,
    });
  });

  /** Replaces the ports and file names in a command of the documentation by those of this stack. */
  function here(text: string): string {
    const { api_url: url, inbox_url: inbox, smtp } = stack.dev;
    return text
      .replaceAll("http://127.0.0.1:8787", url)
      .replaceAll("http://127.0.0.1:8025", inbox)
      .replaceAll("127.0.0.1:2587", `127.0.0.1:${smtp.port}`)
      .replaceAll("npm run -s postern --", `${process.execPath} ${POSTERN}`)
      .replaceAll("npx postern", `${process.execPath} ${POSTERN}`)
      .replaceAll('from "postern"', `from ${JSON.stringify(CLIENT)}`)
      .replaceAll(".postern/smtp/cert.pem", smtp.ca)
      .replaceAll(".postern/dev.json", join(STATE, "dev.json"));
  }

  async function run(text: string): Promise<string> {
    const [, assigned] = /^(?:export )?([A-Z_]+)=\$\(/.exec(text) ?? [];
    const script = assigned === undefined ? here(text) : `${here(text)}\nprintf %s "$${assigned}"`;
    const env = { ...process.env, ...variables };
    const args = ["-euo", "pipefail", "-c", script];
    const { code, output, printed } = await runProgram("bash", args, { cwd: ROOT, env });
    expect(code, `${text}\n${printed}`).toBe(0);
    if (assigned !== undefined) variables[assigned] = output;
    return output.trim();
  }

  // Tests the first sends of README.md as programs.
  describe.each([
    ["ts", "node", "send.mjs", true],
    ["python", "python3", "send.py", hasTool("python")],
  ] as const)("README.md: the first send in %s", (language, program, name, canRun) => {
    it.runIf(canRun)("arrives", async () => {
      const [, text = ""] =
        new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "m").exec(
          readFileSync(join(ROOT, "README.md"), "utf8"),
        ) ?? [];
      const directory = mkdtempSync(join(tmpdir(), "first-send-"));
      writeFileSync(join(directory, name), here(text));
      const arrived = async () => (await stack.inbox("&to=someone@example.net")).length;
      const before = await arrived();
      expect(
        await run(
          `POSTERN_API_KEY="$API_KEY" NO_PROXY=127.0.0.1 ${program} ${join(directory, name)}`,
        ),
      ).toMatch(MAIL);
      await vi.waitFor(async () => expect(await arrived()).toBeGreaterThan(before), {
        interval: 100,
      });
      rmSync(directory, { recursive: true });
    });
  });

  // Runs the commands in the order of the pages, because a later command may use the result of an
  // earlier one.
  const canSwaks = hasTool("swaks");
  describe.each(commands.filter(({ text }) => isRun(text)))("$page: $text", ({ text }) => {
    it.runIf(canSwaks || !text.startsWith("swaks "))("runs", async () => {
      expect(await run(text)).toMatch(entryFor(RUN, text)?.[1] ?? /$^/);
    });
  });
});
