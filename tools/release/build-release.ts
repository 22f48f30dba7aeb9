// Builds everything that a release publishes into .release: the package, the worker's bundle, bills
// of materials, the API's description, the notes and their checksums. The gateway's image is built
// here only as a test. The workflow builds the image again and publishes it.
import { spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillIn } from "../../src/api/placeholders.ts";
import { billOfMaterials } from "./bill-of-materials.ts";
import { buildDeployedWorker } from "./deployed-worker.ts";
import { fileNames } from "./publications.ts";
import { imageOf, type Release } from "./stamp.ts";

const FOLDER = ".release";
const GATEWAY = "smtp-gateway";
/** The published description must not name a deployment. */
const EXAMPLE = { origin: "https://post.example.com", headerPrefix: "Service" };

/** Returns the paths of the files. `isUntried`: the package and the image are not tried. */
export function buildRelease(
  root: string,
  release: Release,
  notes: string,
  isUntried: boolean,
): string[] {
  const folder = join(root, FOLDER);
  const names = fileNames(release);
  const work = mkdtempSync(join(tmpdir(), "postern-release-"));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  try {
    const pack = ["packages/postern/build/package.ts", ...(isUntried ? ["--untried"] : [])];
    run(root, process.execPath, pack);
    copyFileSync(join(root, "packages/postern/dist", names.package), join(folder, names.package));
    const text: Record<string, string> = {
      [names.worker]: buildDeployedWorker(root, work),
      [names.workerBill]: billOfMaterials(root, work, "postern-worker"),
      [names.gatewayBill]: billOfMaterials(join(root, GATEWAY), work, "postern-gateway"),
      [names.document]: fillIn(
        readFileSync(join(root, "public/api/openapi.json"), "utf8"),
        EXAMPLE,
      ),
      [names.notes]: `${withAddresses(notes, release)}\n`,
    };
    for (const [name, content] of Object.entries(text)) writeFileSync(join(folder, name), content);
  } finally {
    rmSync(work, { recursive: true });
  }
  writeFileSync(join(folder, names.sums), checksums(folder));
  tryImage(root, `${imageOf(release.published)}:${release.version}`, isUntried);
  return readdirSync(folder).map((name) => join(folder, name));
}

/** Replaces relative links by addresses, because people read the notes outside the repository. */
function withAddresses(notes: string, { version, published }: Release): string {
  const pages = `https://github.com/${published.repository}/blob/v${version}/`;
  return notes.replaceAll(/\]\((?![a-z]+:|#)/g, `](${pages}`);
}

/** The checksums of all files in a folder, in the form that `sha256sum --check` reads. */
function checksums(folder: string): string {
  const digest = (name: string) => hash("sha256", readFileSync(join(folder, name)));
  return readdirSync(folder)
    .toSorted()
    .map((name) => `${digest(name)}  ${name}\n`)
    .join("");
}

/**
 * Builds the image if a container engine runs. Otherwise, checks only that the copied files exist.
 */
function tryImage(root: string, image: string, isUntried: boolean): void {
  const context = join(root, GATEWAY);
  const copied = Array.from(
    readFileSync(join(context, "Dockerfile"), "utf8").matchAll(/^COPY (?!--from)(.+) \S+$/gm),
    ([, paths = ""]) => paths.split(" "),
  ).flat();
  const missing = copied.filter((path) => !existsSync(join(context, path)));
  if (missing.length > 0)
    throw new Error(`the Dockerfile copies ${missing.join(", ")}, but this does not exist`);
  if (isUntried) console.log("LEFT OUT: trying the package and the image, because of --untried");
  else if (spawnSync("docker", ["version"]).status === 0)
    run(root, "docker", ["build", "--tag", image, GATEWAY]);
  else
    console.log(
      `LEFT OUT: building ${image}, because no container engine runs here; the ` +
        `${copied.length} paths that the Dockerfile copies exist`,
    );
}

function run(root: string, program: string, args: readonly string[]): void {
  const { status } = spawnSync(program, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed`);
}
