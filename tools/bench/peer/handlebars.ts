// The peer of `bench render`: handlebars. It runs in Node, because it makes code from strings,
// which workerd does not run. handlebars compiles only at the first rendering, so `compile` renders
// once as well.
import Handlebars from "handlebars";
import { serveCommands } from "../../harness/command-loop.ts";
import { TEMPLATE, VARIABLES } from "../engine/template.ts";
import type { EngineTurns } from "../engine/work.ts";

const template = Handlebars.compile(TEMPLATE);
let seen = 0;

async function perform({ task, times }: EngineTurns): Promise<object> {
  let output = "";
  for (let turn = 0; turn < times; turn += 1) {
    if (task === "compile") Handlebars.compile(`${TEMPLATE}${(seen += 1)}`)(VARIABLES);
    else output = template(VARIABLES);
  }
  return { output };
}

console.log("ready");
await serveCommands((question) => perform(question as EngineTurns));
