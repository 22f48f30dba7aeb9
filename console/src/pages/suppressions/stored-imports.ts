// Remembers the imports that a team started in this tab, so that the page finds them again. The
// tab's storage has only their ids.
import { cachedTeam } from "../../api/console-session.ts";
import type { ImportSeen } from "./import-texts.ts";

const NAME = "postern-imports";
/** A team can run at most this many imports at a time. */
const MOST = 5;

const seen = new Map<string, ImportSeen>();

export function readImports(): readonly string[] {
  return (sessionStorage.getItem(nameOfTeam()) ?? "").split(" ").filter((id) => id !== "");
}

/** Remembers an import, and returns the ids of all remembered imports. */
export function rememberImport(id: string, rows: number): readonly string[] {
  seen.set(id, { rows, at: Date.now(), total: 0 });
  return writeImports([id, ...readImports()].slice(0, MOST));
}

/** Forgets an import, and returns the ids of the other remembered imports. */
export function forgetImport(id: string): readonly string[] {
  seen.delete(id);
  return writeImports(readImports().filter((one) => one !== id));
}

/**
 * Returns the first progress of an import that this tab saw. If this tab sees the import for the
 * first time, stores `total` as its first progress.
 */
export function seenOfImport(id: string, total: number): ImportSeen {
  const known = seen.get(id) ?? { rows: null, at: Date.now(), total };
  seen.set(id, known);
  return known;
}

function writeImports(ids: readonly string[]): readonly string[] {
  sessionStorage.setItem(nameOfTeam(), ids.join(" "));
  return ids;
}

function nameOfTeam(): string {
  return `${NAME} ${cachedTeam() ?? ""}`;
}
