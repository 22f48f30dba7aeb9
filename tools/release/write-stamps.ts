// `npm run stamp`: writes what package.json decides into every file that says otherwise.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../dev/dev-settings.ts";
import { unstamped } from "./stamp.ts";

const files = unstamped(ROOT);
for (const [path, text] of files) writeFileSync(join(ROOT, path), text);
console.log(
  files.size === 0 ? "Every file says what package.json says." : [...files.keys()].join("\n"),
);
