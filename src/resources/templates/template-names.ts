// Names templates: a name is unique in the team as it is written, and a copy without a name gets
// one from its source (contract.md §Drafts and publishing).

export const NAME_CHARACTERS = 200;

const CANDIDATES = 501;

/**
 * `<name> (copy)`, `<name> (copy 2)`, ... in the order in which they are tried: one more than a
 * team can have taken. A long name is cut so that each fits.
 */
export function copyNames(name: string): string[] {
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
