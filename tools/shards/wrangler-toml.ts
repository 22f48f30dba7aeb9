// Adds a shard to wrangler.toml by editing its text, so that the operator's comments and formatting
// stay. Pure.
import { SetupProblem } from "../setup/setup-problem.ts";

export interface Addition {
  readonly shard: number;
  readonly binding: string;
  readonly database: string;
  /** The whole file after the edit. */
  readonly text: string;
}

/**
 * The highest possible shard. The hourly sweep makes several queries to each shard, and D1 allows
 * 1,000 queries for one invocation.
 */
const HIGHEST_SHARD = 255;
const SETTING = "SHARDS_FOR_NEW_TEAMS";

/**
 * Adds a shard after the highest one, and sends new teams only there. Throws a SetupProblem if the
 * file can't be understood.
 */
export function withNextShard(text: string): Addition {
  const blocks = databaseBlocks(text);
  const last = blocks.toSorted((left, right) => left.shard - right.shard).at(-1);
  if (!last)
    throw new SetupProblem(
      "wrangler.toml binds no SHARD_0",
      "put the [[d1_databases]] of SHARD_0 back",
    );
  const shard = last.shard + 1;
  if (shard > HIGHEST_SHARD) throw new SetupProblem(`there are no shards beyond ${HIGHEST_SHARD}`);
  const binding = `SHARD_${shard}`;
  const database = `${last.database.replace(/-\d+$/, "")}-${shard}`;
  const block = last.text
    .split("\n")
    // The ids belong to the other database. wrangler finds this one by its name.
    .filter((line) => !/^\s*(?:database_id|preview_database_id)\s*=/.test(line))
    .join("\n")
    .replace(BINDING, `binding = "${binding}"`)
    .replace(NAME, `database_name = "${database}"`);
  const added = `${text.slice(0, last.end)}\n${block}${text.slice(last.end)}`;
  return { shard, binding, database, text: withSetting(added, String(shard)) };
}

const BINDING = /^[ \t]*binding[ \t]*=[ \t]*"SHARD_(\d+)"/m;
const NAME = /^[ \t]*database_name[ \t]*=[ \t]*"([^"\n]+)"/m;

function databaseBlocks(
  text: string,
): { shard: number; database: string; text: string; end: number }[] {
  return Array.from(text.matchAll(/^\[\[d1_databases\]\]\n(?:[^[\n][^\n]*\n)*/gm)).flatMap(
    (match) => {
      const [block] = match;
      const shard = BINDING.exec(block)?.[1];
      const database = NAME.exec(block)?.[1];
      return shard === undefined || database === undefined
        ? []
        : [{ shard: Number(shard), database, text: block, end: match.index + block.length }];
    },
  );
}

function withSetting(text: string, value: string): string {
  const line = `${SETTING} = "${value}"`;
  const vars = /^\[vars\]\n(?:(?!\[)[^\n]*\n)*/m.exec(text);
  if (!vars)
    throw new SetupProblem(
      "wrangler.toml has no [vars]",
      "add a line [vars] with the deployment's variables",
    );
  const own = new RegExp(`^${SETTING}\\s*=[^\\n]*$`, "m");
  const [section] = vars;
  const changed = own.test(section)
    ? section.replace(own, line)
    : section.replace(/(?<!\n)\n*$/, (end) => `\n${line}${end}`);
  return text.slice(0, vars.index) + changed + text.slice(vars.index + section.length);
}
