// The interface with which a script changes what a team manages (make-changes.ts).
import type { Chance } from "../chance.ts";

/** A change, with the data that its entry in the audit trail must have. */
export interface MadeChange {
  readonly operation: string;
  readonly target: string;
  /** Null: the change was made, but the answer was lost. */
  readonly requestId: string | null;
}

export interface ChangeRequest {
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
  /** Creates a resource with a name of its own in the list at `path`, and returns its id. */
  readonly create: (operation: string, path: string, body: NamedBody) => Promise<string>;
  /** Changes the resource with this id. `isMade` reads the stored state. */
  readonly change: (
    operation: string,
    request: ChangeRequest,
    id: string,
    isMade: () => Promise<boolean>,
  ) => Promise<string>;
  /** Sends a request whose change was already made, so the request changes nothing. */
  readonly repeat: (request: ChangeRequest) => Promise<void>;
  /** Returns null if the path has no resource. */
  readonly read: (path: string) => Promise<StoredState | null>;
  /** Tells whether a member of the resource has this value. */
  readonly has: (path: string, member: string, value: string) => Promise<boolean>;
  readonly isGone: (path: string) => Promise<boolean>;
}

interface NamedBody {
  readonly name: string;
}
