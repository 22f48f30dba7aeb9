// Names the command that mends a fault: a setting that is missing or malformed, a database without
// its tables. The log adds it to the error's line, GET /healthz to the check that fails.

const SETTING = /^settings? [A-Z]/;
const UNMIGRATED = /no such (?:table|column)/;

const SETTING_LOCAL =
  "delete .dev.vars and start `npx wrangler dev` again, which writes a whole one";
const SETTING_DEPLOYED = "`npm run setup` puts it, `npm run doctor` looks at the rest";
const MIGRATE_LOCAL =
  "restart `npm start` or `npx wrangler dev` (without `--persist-to`), which migrates its databases";
const MIGRATE_DEPLOYED = "`npm run deploy` migrates the databases";

/**
 * What mends a fault with one of these messages, as one sentence; undefined: no command is known
 * to. `isLocal`: the service runs with local secrets.
 */
export function remedyFor(messages: readonly string[], isLocal: boolean): string | undefined {
  const setting = messages.find((message) => SETTING.test(message));
  if (setting !== undefined) return sentence(setting, isLocal, SETTING_LOCAL, SETTING_DEPLOYED);
  if (messages.some((message) => UNMIGRATED.test(message)))
    return sentence("a table or column is missing", isLocal, MIGRATE_LOCAL, MIGRATE_DEPLOYED);
  return undefined;
}

/**
 * Without local secrets the place may still be a developer's machine, whose secrets are missing or
 * of another making.
 */
function sentence(fault: string, isLocal: boolean, local: string, deployed: string): string {
  return isLocal
    ? `${fault}: ${local}`
    : `${fault}: ${deployed}; on a developer's machine, ${local}`;
}
