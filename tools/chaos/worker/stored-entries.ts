// Reads the entries of a team's audit trail from their three stores (docs/audit.md). It reads the
// stores directly, so no injected fault stops it and it needs no session of the console. This file
// is a part of the faulty worker's bundle.

/** The members of an entry that the check of a round needs. */
export interface EntryFact {
  readonly id: string;
  readonly operation: string;
  readonly target: string | null;
  readonly actorKind: string;
  readonly requestId: string | null;
}

interface Database {
  prepare(sql: string): {
    bind(...values: unknown[]): { all(): Promise<{ readonly results: EntryFact[] }> };
  };
}

interface LedgerEntry extends Omit<EntryFact, "actorKind"> {
  readonly actor: { readonly kind: string };
}

type ListAudit = (query: object, limit: number) => Promise<LedgerEntry[]>;

const COLUMNS =
  "id, operation, target, actor_kind AS actorKind, request_id AS requestId FROM audit_entries";
const MOST = 10_000;

/** Reads the entries after `since` (Unix milliseconds). */
export async function readEntries(
  databases: readonly unknown[],
  listAudit: ListAudit,
  { team, since }: { readonly team: string; readonly since: number },
): Promise<EntryFact[]> {
  const stored = databases.map(async (database) => {
    const select = (database as Database).prepare(
      `SELECT ${COLUMNS} WHERE team_id = ?1 AND at > ?2`,
    );
    return (await select.bind(team, since).all()).results;
  });
  const before = { at: Number.MAX_SAFE_INTEGER, id: "" };
  const all = {
    since: since + 1,
    before,
    operation: null,
    actorKind: null,
    actorId: null,
    target: null,
  };
  const inLedger = await listAudit(all, MOST);
  return [
    ...(await Promise.all(stored)).flat(),
    ...inLedger.map(({ actor, ...facts }) => ({ ...facts, actorKind: actor.kind })),
  ];
}
