// Opens the deployment's Cloudflare account with wrangler's login, as set-up does. The doctor needs
// the account for facts that neither the worker nor DNS has. If the login fails, the result has the
// reason.
import { AccountApi } from "../account-api.ts";
import { type DeployConfig, readNamedConfig } from "../deploy-config.ts";
import type { CommandSurroundings } from "../run-command.ts";
import { SetupFile } from "../setup-file.ts";
import { Wrangler } from "../run-wrangler.ts";
import { CallProblem } from "../setup-problem.ts";
import { readLogin } from "../wrangler-login.ts";

/** `reason` says why the login failed. It is the end of a sentence. */
export type AccountLogin =
  | {
      readonly kind: "in";
      readonly api: AccountApi;
      readonly wrangler: Wrangler;
      readonly config: DeployConfig;
      readonly email: string | null;
    }
  | { readonly kind: "out"; readonly reason: string };

/** Logs in at its first call. Later calls return the same result. */
export type LogIn = () => Promise<AccountLogin>;

export function accountLogin(around: CommandSurroundings): LogIn {
  let found: Promise<AccountLogin> | undefined;
  return () => (found ??= logIn(around));
}

async function logIn({
  root,
  environment,
  runWrangler,
}: CommandSurroundings): Promise<AccountLogin> {
  const wrangler = new Wrangler(environment, root, runWrangler);
  try {
    const login = await readLogin(wrangler);
    if (login.kind === "out") return login;
    const file = new SetupFile(environment, root, true);
    const config = readNamedConfig(root, environment, file);
    wrangler.configPath = config.path;
    wrangler.accountId ??= file.kept.account_id;
    const [only, ...more] = login.accounts;
    if (wrangler.accountId === undefined && (only === undefined || more.length > 0))
      return { kind: "out", reason: "the login has several accounts: set CLOUDFLARE_ACCOUNT_ID" };
    wrangler.accountId ??= only?.id;
    const api = await AccountApi.open(wrangler, environment);
    return { kind: "in", api, wrangler, config, email: login.email };
  } catch (error) {
    if (!(error instanceof CallProblem)) throw error;
    return { kind: "out", reason: error.message };
  }
}
