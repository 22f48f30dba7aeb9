// Finds the local stack of `npm start` for the doctor. While the stack runs, the file dev.json in
// the state directory has its URLs.
import { resolve } from "node:path";
import type { CommandEnvironment } from "../run-wrangler.ts";
import { readText } from "../setup-file.ts";

export interface LocalStack {
  readonly url: string;
  readonly adminToken: string;
  readonly key: string;
  readonly resolverUrl: string;
  readonly smtpPort: number;
  /** The stack's own certificate for SMTP, as PEM. */
  readonly certificate: string;
}

/** The members of dev.json that this file reads. */
interface StackFile {
  readonly api_url: string;
  readonly api_key: string;
  readonly admin_token: string;
  readonly dns_url: string;
  readonly smtp: { readonly port: number; readonly ca: string };
}

/** Returns the local stack of this state directory, or null if none runs. */
export function findLocalStack(environment: CommandEnvironment, root: string): LocalStack | null {
  const file = readText(resolve(root, environment["POSTERN_STATE"] || ".postern", "dev.json"));
  if (file === undefined) return null;
  const stack = JSON.parse(file) as StackFile;
  return {
    url: stack.api_url,
    adminToken: stack.admin_token,
    key: stack.api_key,
    resolverUrl: `${stack.dns_url}/dns-query`,
    smtpPort: stack.smtp.port,
    certificate: readText(stack.smtp.ca) ?? "",
  };
}
