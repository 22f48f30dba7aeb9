// Names the command that fixes a missing or malformed setting, or a database without its tables.
// The log shows the command with the error. GET /healthz shows it with the failed check. Pure.

const SETTING = /^settings? [A-Z]/;
const UNMIGRATED = /no such (?:table|column)/;

const SETTING_LOCAL =
  "delete .dev.vars and start `npx wrangler dev` again, which writes a complete file";
const SETTING_DEPLOYED = "`npm run setup` sets it, `npm run doctor` checks the other settings";
const MIGRATE_LOCAL =
  "restart `npm start` or `npx wrangler dev` (without `--persist-to`), which migrates its " +
  "databases";
const MIGRATE_DEPLOYED = "run `npm run setup` in a clone, which applies the migrations";
/** The text with which the fix for a database without its tables begins. */
export const SCHEMA_MISSING = "schema missing";

/**
 * Returns one sentence with the fix for an error with one of these messages. Undefined: no fix is
 * known. `isLocal`: the service runs with local secrets.
 */
export function findFix(messages: readonly string[], isLocal: boolean): string | undefined {
  const setting = messages.find((message) => SETTING.test(message));
  if (setting !== undefined) return formatFix(setting, isLocal, SETTING_LOCAL, SETTING_DEPLOYED);
  if (messages.some((message) => UNMIGRATED.test(message)))
    return formatFix(SCHEMA_MISSING, isLocal, MIGRATE_LOCAL, MIGRATE_DEPLOYED);
  return undefined;
}

/**
 * Names the command that fixes the fault. A worker without local secrets may run in a deployment or
 * on a developer's machine. The text then names both commands.
 */
function formatFix(fault: string, isLocal: boolean, local: string, deployed: string): string {
  return isLocal
    ? `${fault}: ${local}`
    : `${fault}: ${deployed}; on a developer's machine, ${local}`;
}
