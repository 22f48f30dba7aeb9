// `npm run release`: gathers the changelog's entries under the version of package.json, commits and
// tags. When the tag is pushed, it starts .github/workflows/release.yml, which publishes.
// `--dry-run` builds into .release what the workflow would publish, lists it, and changes nothing
// else. `--allow-dirty` also builds from a tree with changes. `--untried` leaves out steps that
// need packages or a container engine that `npm run ci` does not install.
import { parseArgs } from "node:util";
import { ROOT } from "../dev/dev-settings.ts";
import { buildRelease } from "./build-release.ts";
import { announced } from "./publications.ts";
import { prepare } from "./readiness.ts";
import { tagRelease } from "./tag-release.ts";

const flag = { type: "boolean", default: false } as const;
const { values } = parseArgs({
  options: { "dry-run": flag, "allow-dirty": flag, untried: flag },
});
const isDry = values["dry-run"];
const prepared = prepare(ROOT, { isDry, mayBeDirty: isDry && values["allow-dirty"] });
if (prepared.problems.length > 0) {
  for (const problem of prepared.problems) console.error(`postern: ${problem}`);
  process.exitCode = 1;
} else if (isDry) {
  const files = buildRelease(ROOT, prepared.release, prepared.notes, values.untried);
  console.log(announced(prepared.release, files));
} else {
  const tag = tagRelease(ROOT, prepared);
  console.log(`Tagged ${tag}. To publish it: git push origin HEAD ${tag}`);
}
