// Remembers, until they expire, which console links were used (contract.md §Console sessions).

const USED = "used-links";

/** When each used sign-in link expires, Unix milliseconds. */
type UsedLinks = Readonly<Record<string, number>>;

/** Returns true for the first use of a link, and false for each later one. */
export function useLinkOnce(
  kv: SyncKvStorage,
  id: string,
  expiresAt: number,
  now: number,
): boolean {
  const known = kv.get<UsedLinks>(USED) ?? {};
  if (known[id] !== undefined) return false;
  const fresh = Object.entries(known).filter(([, end]) => end > now);
  kv.put(USED, { ...Object.fromEntries(fresh), [id]: expiresAt });
  return true;
}
