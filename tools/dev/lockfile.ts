// `npm run lockfile`: run it after a change of dependencies. It adds the builds for other platforms
// to package-lock.json if npm left them out. npm leaves them out if the registry has the builds of
// only some platforms. `npm ci` then refuses the lockfile on every machine. When npm installs, it
// skips builds for other platforms. The gateway's image is built from the gateway's own folder, so
// this program also writes a lockfile for that folder.
import { readFileSync, writeFileSync } from "node:fs";

interface Package {
  readonly version?: string;
  readonly dependencies?: Record<string, string>;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: string[];
  readonly cpu?: string[];
  readonly libc?: string[];
  readonly optionalDependencies?: Record<string, string>;
}

const LOCKFILE = "package-lock.json";
const GATEWAY = "smtp-gateway";
const SYSTEMS = "android darwin freebsd linux netbsd openbsd openharmony sunos win32".split(" ");
const PROCESSORS = "arm64 arm ia32 loong64 mips64el ppc64 riscv64 s390x x64".split(" ");

const lockfile = JSON.parse(readFileSync(LOCKFILE, "utf8")) as {
  packages: Record<string, Package>;
};
const { packages } = lockfile;
const missing = Object.entries(packages).flatMap(([path, entry]) =>
  Object.entries(entry.optionalDependencies ?? {})
    .filter(([name]) => placeOf(path, name) === undefined)
    .map(
      ([name, range]) =>
        [`node_modules/${name}`, placeholder(name, range, entry.dev ?? false)] as const,
    ),
);
const [root, ...rest] = Object.entries({ ...packages, ...Object.fromEntries(missing) });
const sorted = rest.toSorted(([left], [right]) => (left < right ? -1 : 1));
writeFileSync(
  LOCKFILE,
  `${JSON.stringify({ ...lockfile, packages: Object.fromEntries([root ?? ["", {}], ...sorted]) }, null, 2)}\n`,
);
const manifest = JSON.parse(readFileSync(`${GATEWAY}/package.json`, "utf8")) as Record<
  string,
  unknown
>;
const pick = (...members: string[]) =>
  Object.fromEntries(members.map((member) => [member, manifest[member]]));
const gatewayLockfile = {
  ...pick("name", "version"),
  lockfileVersion: 3,
  requires: true,
  packages: {
    "": pick("name", "version", "license", "dependencies", "engines"),
    ...closureOf(GATEWAY),
  },
};
writeFileSync(`${GATEWAY}/${LOCKFILE}`, `${JSON.stringify(gatewayLockfile, null, 2)}\n`);
console.log(`${LOCKFILE}: added ${missing.length} builds for other platforms`);

/**
 * Returns the lockfile's entries of a workspace's direct and indirect dependencies. They include
 * packages inside other packages.
 */
function closureOf(workspace: string): Record<string, Package | undefined> {
  const found = new Map<string, Package | undefined>();
  const visit = (base: string, name: string): void => {
    const path = placeOf(base, name);
    if (path === undefined || found.has(path)) return;
    found.set(path, packages[path]);
    for (const next of Object.keys(packages[path]?.dependencies ?? {})) visit(path, next);
  };
  for (const name of Object.keys(packages[workspace]?.dependencies ?? {})) visit("", name);
  const entries = [...found].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries);
}

/** Returns the path at which Node would find the package if a file at `path` imported it. */
function placeOf(path: string, name: string): string | undefined {
  for (let base = path; ; base = base.slice(0, Math.max(0, base.lastIndexOf("/node_modules/")))) {
    const place = `${base === "" ? "" : `${base}/`}node_modules/${name}`;
    if (place in packages) return place;
    if (base === "") return undefined;
  }
}

function placeholder(name: string, range: string, dev: boolean): Package {
  const words = name.split("/").at(-1)?.split(/[-_]/) ?? [];
  const os = SYSTEMS.filter((system) => words.includes(system));
  const cpu = PROCESSORS.filter(
    (processor) => words.includes(processor) || (processor === "arm" && name.includes("eabi")),
  );
  if (os.length === 0) throw new Error(`${name}: the name does not contain the platform`);
  const libc = [
    ...(os.includes("linux") && name.includes("musl") ? ["musl"] : []),
    ...(os.includes("linux") && name.includes("gnu") ? ["glibc"] : []),
  ];
  return {
    version: range.replace(/^[~^]/, ""),
    ...(cpu.length > 0 && { cpu }),
    ...(dev && { dev }),
    ...(libc.length > 0 && { libc }),
    optional: true,
    os,
  };
}
