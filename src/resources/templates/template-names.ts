// Makes the names of copies. A name is unique in its team, and a copy without a name gets one from
// its source (contract.md §Drafts and publishing). Pure.

export const NAME_CHARACTERS = 200;

const CANDIDATES = 501;

/**
 * Returns `<name> (copy)`, `<name> (copy 2)`, ... in the order in which they are tried: one more
 * than a team can have. A long name is cut so that each fits.
 */
export function makeCopyNames(name: string): string[] {
  const characters = Array.from(name);
  return Array.from({ length: CANDIDATES }, (_, index) => {
    const suffix = index === 0 ? " (copy)" : ` (copy ${index + 1})`;
    return (
      characters
        .slice(0, NAME_CHARACTERS - suffix.length)
        .join("")
        .trimEnd() + suffix
    );
  });
}
