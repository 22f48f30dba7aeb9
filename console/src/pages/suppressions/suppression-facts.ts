// Says how many suppressions a list has. Pure.

/** Says how many suppressions match. `total`: the number as people write it. */
export function suppressionCountText(
  total: string,
  count: { readonly total: number; readonly has_more: boolean },
  isNarrowed: boolean,
): string {
  const words = `${total} ${count.total === 1 ? "suppression" : "suppressions"}`;
  if (!count.has_more) return isNarrowed ? `${words} found` : words;
  return isNarrowed ? `${words} among the newest 200,000` : `More than ${words}`;
}
