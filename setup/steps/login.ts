// Step: wrangler is logged in, and the account is unambiguous.
import type { Context, Step } from "../setup-context.ts";
import { member } from "../json-call.ts";
import { CallProblem, SetupProblem } from "../setup-problem.ts";
import { complaintOf } from "../run-wrangler.ts";

const HOW =
  "run npx wrangler login, or set CLOUDFLARE_API_TOKEN " +
  "(dash.cloudflare.com/profile/api-tokens, template Edit Cloudflare Workers, with D1 and " +
  "Queues added)";

interface Account {
  readonly id: string;
  readonly name: string;
}

export const login: Step = {
  name: "login",
  async run(context) {
    const ran = await context.wrangler.run(["whoami", "--json"]);
    const said = parse(ran.stdout);
    if (ran.code !== 0 || said === undefined || member(said, "loggedIn") === false) {
      context.wrangler.isLoggedOut = context.dryRun;
      const isLoggedOut = member(said, "loggedIn") === false;
      throw new CallProblem(
        isLoggedOut
          ? "wrangler is not logged in to Cloudflare"
          : `wrangler whoami failed: ${complaintOf(ran)}`,
        HOW,
      );
    }
    const account = await choose(context, accountsOf(said));
    refuseAnotherAccount(context, account);
    context.wrangler.accountId = account.id;
    context.kept.account_id = account.id;
    context.file.save();
    const who =
      [member(said, "email"), member(said, "authType")].find((one) => typeof one === "string") ??
      "a token";
    return { kind: "already", detail: `${who}, account ${account.name} (${account.id})` };
  },
};

/** The kept file names one deployment's keys, secrets and records. */
function refuseAnotherAccount({ kept }: Context, { id }: Account): void {
  if (kept.deployed === undefined || kept.account_id === undefined || kept.account_id === id)
    return;
  throw new SetupProblem(
    `the deployment kept here is in the account ${kept.account_id}, and this is ${id}`,
    "set CLOUDFLARE_ACCOUNT_ID back, or POSTERN_STATE to another directory for a second deployment",
  );
}

async function choose(
  { wrangler, kept, terminal }: Context,
  accounts: readonly Account[],
): Promise<Account> {
  const wanted = wrangler.accountId ?? kept.account_id;
  if (wanted !== undefined) {
    const found = accounts.find(({ id }) => id === wanted);
    if (found) return found;
    throw new SetupProblem(
      `this login has no account ${wanted}`,
      "log in to the right one, or set CLOUDFLARE_ACCOUNT_ID",
    );
  }
  const [only, ...more] = accounts;
  if (only === undefined) throw new SetupProblem("this login has no account", HOW);
  if (more.length === 0) return only;
  const list = accounts.map(({ id, name }) => `${id} (${name})`).join(", ");
  if (!terminal.asks)
    throw new SetupProblem(
      `this login has several accounts: ${list}`,
      "set CLOUDFLARE_ACCOUNT_ID to one of them",
    );
  const typed = await terminal.ask(`Account, of ${list}:`);
  const chosen = accounts.find(({ id, name }) => id === typed || name === typed);
  if (!chosen) throw new SetupProblem(`no account ${typed}`);
  return chosen;
}

function accountsOf(said: unknown): Account[] {
  const accounts = member(said, "accounts");
  return Array.isArray(accounts) ? (accounts as Account[]) : [];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
