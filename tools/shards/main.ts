// `npm run shard -- add | core add | list | widen`: the operator's shards (docs/scaling.md).
import { PROGRAM } from "../setup/program-surroundings.ts";
import { runCommand } from "../setup/run-command.ts";
import { shardCommand } from "./shard-command.ts";

process.exitCode = await runCommand("shard", shardCommand, process.argv.slice(2), PROGRAM);
