// The entries of the trail: who changed what (docs/audit.md). An entry is written in the
// transaction of the row that decides about the change, so neither exists without the other. An
// entry never contains a secret, content, or a list of addresses.
import { uuidv7 } from "./lib/ids.ts";

/** The maker of a change. `service`: Postern itself. Only keys and people have ids and names. */
export interface Actor {
  readonly kind: "key" | "person" | "operator" | "service";
  readonly id: string | null;
  readonly name: string | null;
}

/** The interface through which a change came. */
export type AuditDoor = "api" | "resend" | "mcp" | "console" | "service";

/** The store of the row that decides about a change, and of the change's entry. */
type AuditStore = "core" | "suppressions" | "ledger" | "import" | "replay";

/** Marks an endpoint that changes something: what its entries are called, and where they lie. */
export interface AuditMark {
  readonly store: AuditStore;
  /** A noun and a verb, such as `template.publish`. */
  readonly operation: string;
}

/** A request that may change something, as its entry describes it. */
export interface Author {
  /** The id of the request's one entry. */
  readonly entryId: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly actor: Actor;
  readonly via: AuditDoor;
  readonly operation: string;
  readonly requestId: string | null;
}

export interface AuditEntry {
  readonly id: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly actor: Actor;
  readonly via: AuditDoor;
  readonly operation: string;
  /** The id of what was changed, or the address of a suppression. Null: the team itself. */
  readonly target: string | null;
  /** The names of the members that got another value. */
  readonly changed: readonly string[];
  readonly requestId: string | null;
}

/** An entry for a ledger, which deletes its entries from before `keptSince` (Unix milliseconds). */
export interface NotedChange {
  readonly entry: AuditEntry;
  readonly keptSince: number;
}

/** Selects entries of the trail. A member that is null selects all. */
export interface AuditQuery {
  /** Unix milliseconds. */
  readonly since: number;
  /** Only entries before this position. The trail is sorted newest first. */
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

/** The author of a change that Postern makes by itself. */
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
