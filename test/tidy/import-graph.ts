// Computes the layers and rooms of src, and finds circles of imports among files or rooms. Types
// count as imports.
import type { SourceFile } from "./source-files.ts";

/** Maps a file or room to the others that it imports. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>;

const ROOT_RPC = new Set(
  ["limits", "refusal", "env", "settings", "service-name", "content-days", "endpoint"].map(
    (name) => `src/${name}.ts`,
  ),
);

/**
 * Returns a function that gives the layer of a path, 0 for the lowest. A file may import only from
 * its own layer and from lower layers.
 */
export function layersOf(sources: readonly SourceFile[]): (path: string) => number {
  const byPath = new Map(sources.map((file) => [file.path, file]));
  const layerOf = (path: string): number => {
    if (path === "src/worker.ts") return 7;
    if (path.startsWith("src/api/")) return 6;
    if (path.endsWith("/routes.ts")) return 5;
    if (path.endsWith("/store.ts")) return 3;
    if (path.startsWith("src/db/")) return 2;
    if (path.startsWith("src/rpc/") || ROOT_RPC.has(path)) return 1;
    if (path.startsWith("src/lib/") || path.startsWith("src/operator/")) return 0;
    return isGround(path) ? 2 : 4;
  };
  // A store may import a rule that itself imports nothing above db/, such as a row's shape.
  const isGround = (path: string): boolean =>
    byPath
      .get(path)
      ?.imports.every(({ own, typeOnly, target }) => !own || typeOnly || layerOf(target) <= 2) ??
    false;
  return layerOf;
}

/**
 * Returns the room of a file of src: its resource's folder, its mail stage's folder, or else its
 * top folder. A file that lies in no folder is its own room.
 */
export function roomOf(path: string): string {
  const [, room] = /^(src\/(?:(?:resources|mail)\/)?[^/]+)(?:\/|$)/.exec(path) ?? [];
  return room?.replace(/^(src\/mail)\/[^/]+\.ts$/, "$1") ?? path;
}

/** Joins the imports of all files that `nodeOf` maps to the same node. */
export function graphOf(
  sources: readonly SourceFile[],
  nodeOf: (path: string) => string,
): ImportGraph {
  const graph = new Map<string, Set<string>>();
  for (const file of sources) {
    const node = nodeOf(file.path);
    const targets = graph.get(node) ?? new Set();
    graph.set(node, targets);
    for (const { own, target } of file.imports) {
      const other = nodeOf(target);
      if (own && other !== node) targets.add(other);
    }
  }
  return graph;
}

/**
 * Returns for each folder the imports among its files and subfolders. A subfolder stands for all
 * files below it.
 */
export function siblingGraphs(sources: readonly SourceFile[]): ReadonlyMap<string, ImportGraph> {
  const graphs = new Map<string, Map<string, Set<string>>>();
  for (const { path, imports } of sources) {
    for (const { target } of imports.filter(({ own }) => own)) {
      const parent = commonFolder(path, target);
      const graph = graphs.get(parent) ?? new Map<string, Set<string>>();
      const from = childOf(parent, path);
      const targets = graph.get(from) ?? new Set();
      graphs.set(parent, graph.set(from, targets.add(childOf(parent, target))));
    }
  }
  return graphs;
}

/** Returns the graph of folders alone, without the files. */
export function foldersOf(graph: ImportGraph): ImportGraph {
  const isFolder = (node: string): boolean => !/\.tsx?$/.test(node);
  return new Map(
    [...graph].flatMap(([node, targets]) =>
      isFolder(node) ? [[node, new Set([...targets].filter(isFolder))]] : [],
    ),
  );
}

/** Returns the deepest folder that holds both files; it ends with a slash, "" is the root. */
function commonFolder(first: string, second: string): string {
  const [one, other] = [first.split("/"), second.split("/")];
  const end = one.findIndex((name, at) => at === one.length - 1 || name !== other[at]);
  return one
    .slice(0, end)
    .map((name) => `${name}/`)
    .join("");
}

function childOf(folder: string, path: string): string {
  const [name = ""] = path.slice(folder.length).split("/");
  return folder + name;
}

/** Finds the circles, each as a path that ends where it began. */
export function cycles(graph: ImportGraph): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (node: string, trail: readonly string[]): void => {
    if (trail.includes(node)) {
      found.push([...trail.slice(trail.indexOf(node)), node].join(" → "));
      return;
    }
    if (done.has(node)) return;
    for (const next of graph.get(node) ?? []) walk(next, [...trail, node]);
    done.add(node);
  };
  for (const node of graph.keys()) walk(node, []);
  return found;
}
