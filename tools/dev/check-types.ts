// `npm run types`: checks the types of every project with TypeScript 7, which has a native
// compiler, and keeps what it found for the next run. TypeScript 5 stays installed for programs that
// read syntax trees, because TypeScript 7 has no API for that.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const COMPILER = fileURLToPath(
  new URL("bin/tsc", import.meta.resolve("typescript-native/package.json")),
);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PROJECTS = [
  "tsconfig.json",
  "tsconfig.node.json",
  "console/tsconfig.json",
  "packages/postern/tsconfig.json",
  "examples/tsconfig.json",
];

for (const project of PROJECTS) {
  const kept = join(
    ROOT,
    "node_modules/.cache/types",
    `${project.replaceAll("/", "-")}.tsbuildinfo`,
  );
  const args = [COMPILER, "-p", project, "--incremental", "--tsBuildInfoFile", kept];
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
