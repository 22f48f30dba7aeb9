// Records the used sign-in links of the console until they expire (contract.md §Console sessions).

const USED = "used-links";
/** Maximum number of used links in the record. A full record refuses all further links. */
export const LINKS_REMEMBERED = 1_000;

/** When each used sign-in link expires, Unix milliseconds. */
type UsedLinks = Readonly<Record<string, number>>;

/**
 * Records the use of a link. Returns true for the first use. Returns false for a repeated use, and
 * for every link while the record is full.
 */
export function useLinkOnce(
  kv: SyncKvStorage,
  id: string,
  expiresAt: number,
  now: number,
): boolean {
  const known = kv.get<UsedLinks>(USED) ?? {};
  if (known[id] !== undefined) return false;
  const fresh = Object.entries(known).filter(([, end]) => end > now);
  if (fresh.length >= LINKS_REMEMBERED) return false;
  kv.put(USED, { ...Object.fromEntries(fresh), [id]: expiresAt });
  return true;
}

/**
 * Returns whether the record has a link that has not expired yet. Without the record, this link
 * would work again.
 */
export function hasFreshLinks(kv: SyncKvStorage, now: number): boolean {
  return Object.values(kv.get<UsedLinks>(USED) ?? {}).some((end) => end > now);
}
