// Remembers the imports that a team began here, so that they are found again. This tab's storage
// has their ids and nothing else.
import { keptTeam } from "../../api/console-session.ts";
import type { ImportSeen } from "./import-texts.ts";

const NAME = "postern-imports";
/** A team can have this many imports under way. */
const MOST = 5;

const seen = new Map<string, ImportSeen>();

export function readImports(): readonly string[] {
  return (sessionStorage.getItem(nameOfTeam()) ?? "").split(" ").filter((id) => id !== "");
}

/** Returns the ids kept from now on. */
export function keepImport(id: string, rows: number): readonly string[] {
  seen.set(id, { rows, at: Date.now(), total: 0 });
  return writeImports([id, ...readImports()].slice(0, MOST));
}

/** Returns the ids kept from now on. */
export function forgetImport(id: string): readonly string[] {
  seen.delete(id);
  return writeImports(readImports().filter((one) => one !== id));
}

/** Returns what was seen of the import so far, and remembers `total` if that is nothing. */
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
  return `${NAME} ${keptTeam() ?? ""}`;
}
