// Decides which of several gateways takes a copy. Each remembers only the attempts that it made
// itself, so a repeated question must come to the same host (docs/egress-protocol.md §Several
// gateways). Pure.

/**
 * The URL, of at least one, that all attempts to one recipient go to: a server that greylists sees
 * one address come back. Whatever the URLs' order; and one that is taken off the list or put onto
 * it moves no recipient but those of its own share (rendezvous hashing). `key`: `<email
 * id>/<recipient index>/<attempt>`.
 */
export function egressHostOf(key: string, urls: readonly string[]): string {
  if (urls.length === 1 && urls[0] !== undefined) return urls[0];
  const recipient = key.slice(0, key.lastIndexOf("/"));
  const ranked = urls.map((url) => ({ url, weight: hashOf(`${url} ${recipient}`) }));
  const [first, ...others] = ranked;
  if (!first) throw new Error("no gateway is set up");
  return others.reduce(
    (best, one) =>
      one.weight > best.weight || (one.weight === best.weight && one.url < best.url) ? one : best,
    first,
  ).url;
}

/**
 * 32 bits: FNV-1a over UTF-16 units, then mixed (the finaliser of MurmurHash3), since names that
 * differ at their end must differ in every bit.
 */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
