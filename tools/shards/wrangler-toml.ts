// Adds a shard or a core database to wrangler.toml. It edits the text, so that the operator's
// comments and formatting stay. Pure.
import { SetupProblem } from "../setup/setup-problem.ts";

export interface Addition {
  readonly shard: number;
  readonly binding: string;
  readonly database: string;
  /** The whole file after the edit. */
  readonly text: string;
}

/**
 * The highest possible shard number. The hourly sweep makes several queries to each shard, and D1
 * allows 1,000 queries for one invocation.
 */
const HIGHEST_SHARD = 255;
/** The highest core number: an id names its core by one hex digit (decision 0032). */
const HIGHEST_CORE = 15;
const SETTING = "SHARDS_FOR_NEW_TEAMS";

/**
 * Adds a shard after the highest one, and sends new teams only there. Throws a SetupProblem if the
 * file can't be understood.
 */
export function withNextShard(text: string): Addition {
  const [first, ...others] = databaseBlocks(text, /^SHARD_(\d+)$/);
  if (!first) throw missing("SHARD_0");
  const last = others.at(-1) ?? first;
  const shard = last.shard + 1;
  if (shard > HIGHEST_SHARD) throw new SetupProblem(`there are no shards beyond ${HIGHEST_SHARD}`);
  const database = `${last.database.replace(/-\d+$/, "")}-${shard}`;
  const added = withBlock(text, last, { shard, binding: `SHARD_${shard}`, database });
  return { ...added, text: withSetting(added.text, String(shard)) };
}

/** Adds a core database after the last one. Throws as withNextShard() does. */
export function withNextCore(text: string): Addition {
  const [first, ...others] = databaseBlocks(text, /^(?:DB|CORE_(\d+))$/);
  if (first?.shard !== 0) throw missing("DB");
  const last = others.at(-1) ?? first;
  const shard = last.shard + 1;
  if (shard > HIGHEST_CORE)
    throw new SetupProblem(`there are no core databases beyond ${HIGHEST_CORE}`);
  const database = `${first.database}-${shard}`;
  return withBlock(text, last, { shard, binding: `CORE_${shard}`, database });
}

function missing(binding: string): SetupProblem {
  return new SetupProblem(
    `wrangler.toml binds no ${binding}`,
    `put the [[d1_databases]] of ${binding} back`,
  );
}

/** Adds a block for another database. The block is a copy of the last database's block. */
function withBlock(
  text: string,
  last: DatabaseBlock,
  { shard, binding, database }: Omit<Addition, "text">,
): Addition {
  const block = last.text
    .split("\n")
    // The ids are those of the existing database. wrangler finds the new database by its name.
    .filter((line) => !/^\s*(?:database_id|preview_database_id)\s*=/.test(line))
    .join("\n")
    .replace(BINDING, `binding = "${binding}"`)
    .replace(NAME, `database_name = "${database}"`);
  const added = `${text.slice(0, last.end)}\n${block}${text.slice(last.end)}`;
  return { shard, binding, database, text: added };
}

const BINDING = /^[ \t]*binding[ \t]*=[ \t]*"(\w+)"/m;
const NAME = /^[ \t]*database_name[ \t]*=[ \t]*"([^"\n]+)"/m;

interface DatabaseBlock {
  readonly shard: number;
  readonly database: string;
  readonly text: string;
  readonly end: number;
}

/** Returns the databases whose bindings match, with the number in the binding, the lowest first. */
function databaseBlocks(text: string, bindings: RegExp): DatabaseBlock[] {
  const blocks = Array.from(text.matchAll(/^\[\[d1_databases\]\]\n(?:[^[\n][^\n]*\n)*/gm));
  return blocks
    .flatMap((match) => {
      const [block] = match;
      const binding = bindings.exec(BINDING.exec(block)?.[1] ?? "");
      const database = NAME.exec(block)?.[1];
      return binding === null || database === undefined
        ? []
        : [
            {
              shard: Number(binding[1] ?? 0),
              database,
              text: block,
              end: match.index + block.length,
            },
          ];
    })
    .toSorted((left, right) => left.shard - right.shard);
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
