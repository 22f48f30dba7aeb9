// Writes the number of suppressions in a list. Pure.

/** Writes the number of matching suppressions. `total` is the number as formatted text. */
export function suppressionCountText(
  total: string,
  count: { readonly total: number; readonly has_more: boolean },
  isNarrowed: boolean,
): string {
  const words = `${total} ${count.total === 1 ? "suppression" : "suppressions"}`;
  if (!count.has_more) return isNarrowed ? `${words} found` : words;
  return isNarrowed ? `${words} among the newest 200,000` : `More than ${words}`;
}
