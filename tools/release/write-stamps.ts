// `npm run stamp`: writes the version and names of package.json into all files that differ from it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../dev/dev-settings.ts";
import { unstamped } from "./stamp.ts";

const files = unstamped(ROOT);
for (const [path, text] of files) writeFileSync(join(ROOT, path), text);
console.log(files.size === 0 ? "No file differs from package.json." : [...files.keys()].join("\n"));
