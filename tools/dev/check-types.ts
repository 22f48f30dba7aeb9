// `npm run types`: checks the types of every project with TypeScript 7, which has a native
// compiler. TypeScript 5 stays installed for programs that read syntax trees, because TypeScript 7
// has no API for that.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const COMPILER = fileURLToPath(
  new URL("bin/tsc", import.meta.resolve("typescript-native/package.json")),
);
const PROJECTS = [
  "tsconfig.json",
  "tsconfig.node.json",
  "console/tsconfig.json",
  "packages/postern/tsconfig.json",
  "examples/tsconfig.json",
];

for (const project of PROJECTS) {
  const { status } = spawnSync(process.execPath, [COMPILER, "-p", project], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
