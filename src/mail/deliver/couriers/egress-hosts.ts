// Decides which of several gateways takes a copy. Each gateway remembers only its own attempts, so
// a repeated attempt must go to the same host (docs/egress-protocol.md §Several gateways). Pure.

/**
 * Chooses one of `urls` (at least one) by rendezvous hashing. All attempts to one recipient go to
 * the same URL, so that a greylisting server sees the same IP address again. The order of the URLs
 * does not matter. If a URL is added or removed, only the recipients of that URL move. `key` is
 * `<email id>/<recipient index>/<attempt>`.
 */
export function egressHostOf(key: string, urls: readonly string[]): string {
  if (urls.length === 1 && urls[0] !== undefined) return urls[0];
  const recipient = key.slice(0, key.lastIndexOf("/"));
  const ranked = urls.map((url) => ({ url, weight: hashOf(`${url} ${recipient}`) }));
  const [first, ...others] = ranked;
  if (!first) throw new Error("EGRESS_URL names no gateway");
  return others.reduce(
    (best, one) =>
      one.weight > best.weight || (one.weight === best.weight && one.url < best.url) ? one : best,
    first,
  ).url;
}

/**
 * Returns a 32-bit hash: FNV-1a over UTF-16 units, then the finaliser of MurmurHash3. The finaliser
 * is needed because the hashes of names that differ only at their end must differ in all bits.
 */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
