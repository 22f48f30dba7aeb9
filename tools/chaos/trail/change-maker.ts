// The client of a script that changes what a team manages (make-changes.ts).
import type { Chance } from "../chance.ts";

/** A change that was made, as the trail must have it. */
export interface MadeChange {
  readonly operation: string;
  readonly target: string;
  /** Null: the answer that said so was lost. */
  readonly requestId: string | null;
}

interface ChangeRequest {
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: object | string;
}

export type StoredState = Readonly<Record<string, unknown>>;

/** The client of a script. */
export interface ChangeMaker {
  /** Begins the names of everything that the round makes. */
  readonly tag: string;
  readonly chance: Chance;
  /**
   * Makes a change, and returns its target. `findTarget` tells by the stored state, or by the text
   * of a good answer, whether the change was made; null: it was not.
   */
  readonly make: (
    operation: string,
    request: ChangeRequest,
    findTarget: (answered: string | null) => Promise<string | null>,
  ) => Promise<string>;
  /** Sends a request that changes nothing, because its change was made already. */
  readonly repeat: (request: ChangeRequest) => Promise<void>;
  /** Returns null for a path without a resource. */
  readonly read: (path: string) => Promise<StoredState | null>;
  readonly list: (path: string) => Promise<readonly StoredState[]>;
}

/** Returns the id of the row with this name. Null: no row has it. */
export function idOfName(rows: readonly StoredState[], name: string): string | null {
  return (rows.find((row) => row["name"] === name)?.["id"] as string | undefined) ?? null;
}
