// The entries of the trail: who changed what (docs/audit.md). An entry is written in the same
// transaction as the row that decides about the change, so neither exists without the other. An
// entry never contains a secret, content, or a list of addresses.
import { uuidv7 } from "./lib/ids.ts";

/** The author of a change. `service`: Postern itself. Only keys and people have ids and names. */
export interface Actor {
  readonly kind: "key" | "person" | "operator" | "service";
  readonly id: string | null;
  readonly name: string | null;
}

/** The interface through which a change came. */
export type AuditDoor = "api" | "resend" | "mcp" | "console" | "service";

/** The store that has the row that decides about a change. It also has the change's entry. */
type AuditStore = "core" | "suppressions" | "ledger" | "import" | "replay";

/** Marks an endpoint that changes something: the entries' operation, and their store. */
export interface AuditMark {
  readonly store: AuditStore;
  /** The operation as a noun and a verb, such as `template.publish`. */
  readonly operation: string;
}

/** The author and the time of a request that may change something, as its entry shows them. */
export interface Author {
  /** The id of the entry. A request has only one entry. */
  readonly entryId: string;
  /** The time of the request, in Unix milliseconds. */
  readonly at: number;
  readonly actor: Actor;
  readonly via: AuditDoor;
  readonly operation: string;
  readonly requestId: string | null;
}

export interface AuditEntry {
  readonly id: string;
  /** The time of the change, in Unix milliseconds. */
  readonly at: number;
  readonly actor: Actor;
  readonly via: AuditDoor;
  readonly operation: string;
  /** The id of the changed resource, or a suppression's address. Null: the team itself. */
  readonly target: string | null;
  /** The names of the members whose values changed. */
  readonly changed: readonly string[];
  readonly requestId: string | null;
}

/** An entry for a ledger, which deletes its entries from before `keptSince` (Unix milliseconds). */
export interface NotedChange {
  readonly entry: AuditEntry;
  readonly keptSince: number;
}

/** Selects entries of the trail. A member that is null does not restrict the selection. */
export interface AuditQuery {
  /** The time of the oldest entry, in Unix milliseconds. */
  readonly since: number;
  /** Selects only entries older than this position. The trail is sorted newest first. */
  readonly before: { readonly at: number; readonly id: string };
  readonly operation: string | null;
  readonly actorKind: Actor["kind"] | null;
  readonly actorId: string | null;
  readonly target: string | null;
}

export function newAuditId(now: number): string {
  return `audit_${uuidv7(now)}`;
}

export function entryBy(
  { entryId, ...facts }: Author,
  target: string | null,
  changed: readonly string[] = [],
): AuditEntry {
  return { id: entryId, ...facts, target, changed };
}

/** Returns the author of a change that Postern makes by itself. */
export function serviceAuthor(operation: string, now: number): Author {
  return {
    entryId: newAuditId(now),
    at: now,
    actor: { kind: "service", id: null, name: null },
    via: "service",
    operation,
    requestId: null,
  };
}
