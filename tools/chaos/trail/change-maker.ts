// The interface with which a script changes what a team manages (make-changes.ts).
import type { Chance } from "../chance.ts";

/** A change, with the data that its entry in the audit trail must have. */
export interface MadeChange {
  readonly operation: string;
  readonly target: string;
  /** Null: the change was made, but the answer was lost. */
  readonly requestId: string | null;
}

interface ChangeRequest {
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: object | string;
}

export type StoredState = Readonly<Record<string, unknown>>;

/** Sends the requests of a script. */
export interface ChangeMaker {
  /** The prefix of the names of everything that the round makes. */
  readonly tag: string;
  readonly chance: Chance;
  /**
   * Makes a change, and returns its target. `findTarget` reads the stored state, or the text of a
   * good answer. It returns the target if the change was made, else null.
   */
  readonly make: (
    operation: string,
    request: ChangeRequest,
    findTarget: (answered: string | null) => Promise<string | null>,
  ) => Promise<string>;
  /** Sends a request whose change was already made, so the request changes nothing. */
  readonly repeat: (request: ChangeRequest) => Promise<void>;
  /** Returns null if the path has no resource. */
  readonly read: (path: string) => Promise<StoredState | null>;
  readonly list: (path: string) => Promise<readonly StoredState[]>;
}

/** Returns the id of the row with this name. Null: no row has this name. */
export function idOfName(rows: readonly StoredState[], name: string): string | null {
  return (rows.find((row) => row["name"] === name)?.["id"] as string | undefined) ?? null;
}
