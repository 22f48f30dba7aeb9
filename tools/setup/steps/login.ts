// Step: wrangler is logged in, and one account is chosen.
import type { Context, Step } from "../setup-context.ts";
import { CallProblem, SetupProblem } from "../setup-problem.ts";
import { type LoginAccount, HOW_TO_LOG_IN, readLogin } from "../wrangler-login.ts";

export const login: Step = {
  name: "login",
  async run(context) {
    const found = await readLogin(context.wrangler);
    if (found.kind === "out") {
      context.wrangler.isLoggedOut = context.dryRun;
      throw new CallProblem(found.reason, HOW_TO_LOG_IN);
    }
    const account = await choose(context, found.accounts);
    refuseAnotherAccount(context, account);
    context.wrangler.accountId = account.id;
    context.kept.account_id = account.id;
    context.file.save();
    return { kind: "already", detail: `${found.who}, account ${account.name} (${account.id})` };
  },
};

/** Throws if the account has changed, because set-up's file belongs to only one deployment. */
function refuseAnotherAccount({ kept }: Context, { id }: LoginAccount): void {
  if (kept.deployed === undefined || kept.account_id === undefined || kept.account_id === id)
    return;
  throw new SetupProblem(
    `set-up's file is for a deployment in the account ${kept.account_id}, and this is ${id}`,
    "set CLOUDFLARE_ACCOUNT_ID back, or set POSTERN_STATE to another directory for a second deployment",
  );
}

async function choose(
  { wrangler, kept, terminal }: Context,
  accounts: readonly LoginAccount[],
): Promise<LoginAccount> {
  const wanted = wrangler.accountId ?? kept.account_id;
  if (wanted !== undefined) {
    const found = accounts.find(({ id }) => id === wanted);
    if (found) return found;
    throw new SetupProblem(
      `this login has no account ${wanted}`,
      "log in to the right account, or set CLOUDFLARE_ACCOUNT_ID",
    );
  }
  const [only, ...more] = accounts;
  if (only === undefined) throw new SetupProblem("this login has no account", HOW_TO_LOG_IN);
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
