// Reads wrangler's login: its accounts, and the credentials for Cloudflare's API.
import { member } from "./json-call.ts";
import { complaintOf, type Wrangler } from "./run-wrangler.ts";
import { CallProblem } from "./setup-problem.ts";

export interface LoginAccount {
  readonly id: string;
  readonly name: string;
}

/** `reason` says why the login is missing, as the end of a sentence. */
export type WranglerLogin =
  | {
      readonly kind: "in";
      /** The login's mail address. Null: the login is an API token, which has no address. */
      readonly email: string | null;
      readonly who: string;
      readonly accounts: readonly LoginAccount[];
    }
  | { readonly kind: "out"; readonly reason: string };

export const HOW_TO_LOG_IN =
  "run npx wrangler login, or set CLOUDFLARE_API_TOKEN " +
  "(dash.cloudflare.com/profile/api-tokens, template Edit Cloudflare Workers, with D1 and " +
  "Queues added, and Email Sending for the courier cloudflare)";

export async function readLogin(wrangler: Wrangler): Promise<WranglerLogin> {
  const ran = await wrangler.run(["whoami", "--json"]);
  const said = parse(ran.stdout);
  if (member(said, "loggedIn") === false)
    return { kind: "out", reason: "wrangler is not logged in to Cloudflare" };
  if (ran.code !== 0 || said === undefined)
    return { kind: "out", reason: `wrangler whoami failed: ${complaintOf(ran)}` };
  const [email, authType] = [member(said, "email"), member(said, "authType")];
  const accounts = member(said, "accounts");
  const who = [email, authType].find((one) => typeof one === "string") ?? "a token";
  return {
    kind: "in",
    email: typeof email === "string" ? email : null,
    who: who,
    accounts: Array.isArray(accounts) ? (accounts as LoginAccount[]) : [],
  };
}

/** Returns wrangler's own headers for Cloudflare's API. Throws a CallProblem if it has none. */
export async function credentials(wrangler: Wrangler): Promise<Record<string, string>> {
  const printed = await wrangler.must(["auth", "token", "--json"], "to be logged in");
  // Wrangler's output contains a secret, so no error text contains the output.
  const said = parse(printed.slice(Math.max(0, printed.indexOf("{"))));
  const [token, key, email] = ["token", "key", "email"].map((name) => member(said, name));
  if (typeof token === "string") return { authorization: `Bearer ${token}` };
  if (typeof key === "string" && typeof email === "string")
    return { "x-auth-key": key, "x-auth-email": email };
  throw new CallProblem("wrangler auth token printed no credentials", HOW_TO_LOG_IN);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
