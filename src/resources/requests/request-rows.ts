// Stores requests in a limited number of rows. Requests of one kind share a row. If the limit is
// reached, the row with the oldest change is removed. Isolates use these rows until they transfer
// them to the team's object, which uses them too. Pure.
import { BoundedMap } from "../../lib/bounded-cache.ts";
import type {
  RequestFilters,
  RequestKind,
  RequestSearch,
  RequestRow,
  SeenRequest,
  SeenRequests,
} from "../../rpc/request-log-calls.ts";

/** Number of newest requests that a row stores in full. It only counts older requests. */
export const NEWEST_REQUESTS = 8;

export class RequestRows {
  /** The rows by kind, in the order of their last change. */
  readonly #rows: BoundedMap<string, SeenRequests>;

  constructor(capacity: number) {
    this.#rows = new BoundedMap(capacity);
  }

  add(seen: SeenRequests): void {
    const name = nameOf(seen.kind);
    const row = this.#rows.get(name);
    this.#rows.setLast(name, row ? join(row, seen) : seen);
  }

  /** Removes and returns all rows. */
  take(): SeenRequests[] {
    const rows = this.all();
    this.#rows.clear();
    return rows;
  }

  all(): SeenRequests[] {
    return [...this.#rows.values()];
  }

  /** Removes the rows whose newest request is older than `before`, Unix milliseconds. */
  dropOld(before: number): void {
    for (const [name, { newest }] of this.#rows)
      if ((newest[0]?.at ?? 0) < before) this.#rows.delete(name);
  }
}

/** Finds a request that a row still stores in full. */
export function findRequest(rows: readonly SeenRequests[], id: string): RequestRow | null {
  for (const row of rows) {
    const request = row.newest.find((one) => one.id === id);
    if (request) return toRow(row, request);
  }
  return null;
}

/** Returns the rows of a page, newest first. */
export function listRequests(
  rows: readonly SeenRequests[],
  { filters, limit, after }: RequestSearch,
): RequestRow[] {
  return rows
    .flatMap((row) => matchOf(row, filters))
    .filter(({ request }) => !after || isOlder(request, after))
    .toSorted((one, other) => (isOlder(one.request, positionOf(other)) ? 1 : -1))
    .slice(0, limit);
}

function matchOf(row: SeenRequests, filters: RequestFilters): RequestRow[] {
  const { status, route, keyId, since = 0 } = filters;
  if (status !== undefined && !hasStatus(row.kind, status)) return [];
  if (route !== undefined && row.kind.route !== route) return [];
  const request = row.newest.find((one) => keyId === undefined || one.keyId === keyId);
  return request && request.at >= since ? [toRow(row, request)] : [];
}

function hasStatus({ status }: RequestKind, wanted: string): boolean {
  const text = String(status);
  return wanted.endsWith("xx") ? text.startsWith(wanted.slice(0, 1)) : text === wanted;
}

function toRow({ kind, count, firstAt }: SeenRequests, request: SeenRequest): RequestRow {
  return { kind, count, firstAt, request };
}

function positionOf({ request }: RequestRow): NonNullable<RequestSearch["after"]> {
  return { createdAt: request.at, id: request.id };
}

function isOlder({ at, id }: SeenRequest, than: NonNullable<RequestSearch["after"]>): boolean {
  return at < than.createdAt || (at === than.createdAt && id < than.id);
}

function nameOf({ method, route, status, error, fields }: RequestKind): string {
  return JSON.stringify([method, route, status, error, fields]);
}

function join(row: SeenRequests, seen: SeenRequests): SeenRequests {
  const newest = [...seen.newest, ...row.newest].toSorted((one, other) => other.at - one.at);
  return {
    kind: row.kind,
    count: row.count + seen.count,
    firstAt: Math.min(row.firstAt, seen.firstAt),
    newest: newest.slice(0, NEWEST_REQUESTS),
  };
}
