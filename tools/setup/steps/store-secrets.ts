// Step: the worker has its secrets. Set-up generates a missing secret, or the operator gives it.
// Set-up first saves all of them in its file and then uploads them in one call. It never overwrites
// a key that encrypts stored data. While data exists that was encrypted with an unknown key, it
// generates no new key.
import { createHash, randomBytes } from "node:crypto";
import { settingProblem } from "../../../src/operator/setting-table.ts";
import { coreDatabases } from "../deploy-config.ts";
import type { Context, Step } from "../setup-context.ts";
import { member } from "../json-call.ts";
import { CallProblem, SetupProblem } from "../setup-problem.ts";
import { complaintOf, parseOutput, printed } from "../run-wrangler.ts";
import { executeSql, rowsOf } from "../account/applied-migrations.ts";

const NEEDS = "Account · Workers Scripts · Edit";

/** Secrets whose change would lose data, or break links and bounces of mail already sent. */
const FOR_GOOD = ["KEY_ENCRYPTION_KEY", "SIGNING_KEY"];

const random = (bytes: number, encoding: "hex" | "base64") => (): string =>
  randomBytes(bytes).toString(encoding);
const GENERATED: Readonly<Record<string, { readonly make: () => string; readonly why: string }>> = {
  ADMIN_TOKEN: { make: random(24, "hex"), why: "opens /admin: do not share it" },
  GATEWAY_TOKEN: { make: random(24, "hex"), why: "goes to the gateway, as its GATEWAY_TOKEN" },
  SIGNING_KEY: {
    make: random(32, "hex"),
    why: "keep it: without it, bounces of sent mail can't be matched and links in sent mail are dead",
  },
  KEY_ENCRYPTION_KEY: {
    make: random(32, "base64"),
    why: "keep it: without it, all DKIM keys and webhook secrets are lost",
  },
};

const SEALED =
  "SELECT (SELECT count(*) FROM dkim_keys) + (SELECT count(*) FROM webhooks) AS sealed";

export const secrets: Step = {
  name: "secrets",
  plan: (context) => [
    "upload the missing ones of these secrets: " +
      namesWithUses(context, [...new Set([...Object.keys(GENERATED), ...givenBy(context)])]),
  ],
  async run(context) {
    const { wrangler, kept, dryRun, file } = context;
    const present = await namesOf(context);
    refuseOverwriting(context, present);
    refuseShortToken(context);
    const missing = Object.keys(GENERATED).filter((name) => !present.has(name));
    if (missing.includes("KEY_ENCRYPTION_KEY") && !valueOf(context, "KEY_ENCRYPTION_KEY"))
      await refuseBesideSealedData(context);
    const given = givenBy(context).filter((name) => !present.has(name) || isChanged(context, name));
    await knowAdminToken(context, present);
    const upload = [...missing, ...given];
    if (upload.length === 0) return { kind: "already", detail: [...present].toSorted().join(", ") };
    if (dryRun) return { kind: "would", detail: `put ${namesWithUses(context, upload)}` };
    const made = missing.filter((name) => isMade(context, name));
    const values = Object.fromEntries(
      upload.map((name) => [name, valueOf(context, name) ?? GENERATED[name]?.make() ?? ""]),
    );
    Object.assign(kept.secrets, values);
    file.save();
    await wrangler.must(["secret", "bulk"], NEEDS, JSON.stringify(values));
    for (const [name, value] of Object.entries(values)) kept.uploaded[name] = digest(value);
    file.save();
    return {
      kind: upload.every((name) => present.has(name)) ? "changed" : "done",
      detail: upload.join(", "),
      notes: made.length === 0 ? [] : keepNotes(made, values, file.path),
    };
  },
};

/** Returns the names of the worker's secrets. A worker that does not exist yet has none. */
async function namesOf({ wrangler }: Context): Promise<Set<string>> {
  const ran = await wrangler.run(["secret", "list", "--format", "json"]);
  if (ran.code === 0)
    return new Set(
      (parseOutput(ran.stdout, "[", "wrangler secret list") as { name: string }[]).map(
        ({ name }) => name,
      ),
    );
  if (printed(ran, /not found|does not exist|code: 10007/i)) return new Set();
  throw new CallProblem(
    `wrangler secret list: ${complaintOf(ran)}`,
    `wrangler's login needs ${NEEDS}; then run this again`,
  );
}

/** Returns the secret from the environment, or else from the answers or an earlier run. */
function valueOf({ environment, kept, settings }: Context, name: string): string | undefined {
  return environment[name]?.trim() || settings[name] || kept.secrets[name] || undefined;
}

function isMade(context: Context, name: string): boolean {
  return name in GENERATED && valueOf(context, name) === undefined;
}

function namesWithUses(context: Context, names: readonly string[]): string {
  return names.map((name) => (isMade(context, name) ? `${name} (generated)` : name)).join(", ");
}

/** Returns the names of the secrets that the operator has supplied. */
function givenBy({ settings, environment }: Context): string[] {
  const replaceable = ["ADMIN_TOKEN", "GATEWAY_TOKEN"].filter((name) => environment[name]);
  return [
    ...replaceable,
    ...["DNS_API_TOKEN", "EMAIL_API_TOKEN", "SMTP_RELAY_PASSWORD"].filter((name) => settings[name]),
  ];
}

/**
 * Tells whether the known value differs from the worker's. If set-up has never uploaded ADMIN_TOKEN
 * or GATEWAY_TOKEN, it assumes that the operator's value is the worker's value.
 */
function isChanged({ kept, environment, settings }: Context, name: string): boolean {
  const before = kept.uploaded[name];
  const now = environment[name]?.trim() || settings[name] || "";
  return before === undefined ? !(name in GENERATED) : before !== digest(now);
}

function refuseOverwriting({ environment, kept }: Context, present: ReadonlySet<string>): void {
  const differs = (name: string): boolean => {
    const [given, before] = [environment[name]?.trim(), kept.uploaded[name]];
    return given !== undefined && given !== "" && before !== undefined && before !== digest(given);
  };
  const rival = FOR_GOOD.find((name) => present.has(name) && differs(name));
  if (rival === undefined) return;
  throw new SetupProblem(
    `the worker already has another ${rival}, and set-up never overwrites it: data that it ` +
      "encrypted or signed would be lost",
    `remove ${rival} from the environment`,
  );
}

/**
 * Throws a SetupProblem if ADMIN_TOKEN is too short, because the worker would refuse to run with it
 * (docs/settings.md §Settings of the worker).
 */
function refuseShortToken(context: Context): void {
  const token = valueOf(context, "ADMIN_TOKEN");
  const problem = token === undefined ? null : settingProblem("ADMIN_TOKEN", token);
  if (problem === null) return;
  throw new SetupProblem(
    `ADMIN_TOKEN ${problem}: the worker refuses to run with a shorter one`,
    "set a longer ADMIN_TOKEN (openssl rand -hex 24), or unset it to have one generated",
  );
}

async function refuseBesideSealedData({ wrangler, config, databases }: Context): Promise<void> {
  for (const { binding, name } of coreDatabases(config)) {
    if (!databases.has(name)) continue;
    const ran = await executeSql(wrangler, binding, SEALED);
    if (ran.code !== 0 && printed(ran, /no such table/i)) continue;
    if (ran.code !== 0)
      throw new CallProblem(
        `could not look for encrypted data in ${name}: ${complaintOf(ran)}`,
        "run this again",
      );
    const sealed = Number(member(rowsOf(ran)[0], "sealed"));
    if (sealed > 0)
      throw new SetupProblem(
        `${name} holds ${sealed} DKIM keys and webhook secrets, encrypted with a ` +
          "KEY_ENCRYPTION_KEY that the worker no longer has",
        "set KEY_ENCRYPTION_KEY to your copy of that key; a new key could not decrypt them",
      );
  }
}

/** Returns a digest of a secret. It shows later changes without storing the secret. */
function digest(value: string): string {
  return createHash("sha256").update(value).digest("hex");
}

/** Asks for the worker's ADMIN_TOKEN if it is unknown here, because the next steps call /admin. */
async function knowAdminToken(context: Context, present: ReadonlySet<string>): Promise<void> {
  if (!present.has("ADMIN_TOKEN") || valueOf(context, "ADMIN_TOKEN") !== undefined) return;
  if (context.terminal.asks) {
    context.kept.secrets["ADMIN_TOKEN"] = await context.terminal.ask(
      "The worker has an ADMIN_TOKEN that is not known here. Enter it:",
      true,
    );
    context.file.save();
    return;
  }
  throw new SetupProblem(
    "the worker has an ADMIN_TOKEN that is not known here",
    "set ADMIN_TOKEN to the worker's token; if that token is lost, upload a new one with npx wrangler secret put ADMIN_TOKEN, and set ADMIN_TOKEN to the new one",
  );
}

function keepNotes(
  made: readonly string[],
  values: Readonly<Record<string, string>>,
  path: string,
): string[] {
  return [
    "Keep these where you keep passwords. Cloudflare never shows them again:",
    ...made.map((name) => `  ${name}=${values[name]}   ${GENERATED[name]?.why ?? ""}`),
    `They are also in ${path}, which your user alone can read.`,
  ];
}
