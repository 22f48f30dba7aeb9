// Remembers, until they expire, which console links were used (contract.md §Console sessions).

const USED = "used-links";
/** Maximum number of links that are remembered. While there are so many, no other link works. */
export const LINKS_REMEMBERED = 1_000;

/** When each used sign-in link expires, Unix milliseconds. */
type UsedLinks = Readonly<Record<string, number>>;

/**
 * Returns true for the first use of a link, and false for each later one, or if too many links were
 * used lately.
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

/** Returns whether a used link could still open the console if it were forgotten. */
export function hasFreshLinks(kv: SyncKvStorage, now: number): boolean {
  return Object.values(kv.get<UsedLinks>(USED) ?? {}).some((end) => end > now);
}
