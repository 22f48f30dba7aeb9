// Makes the names of copies. A name is unique in its team. If the request does not name a copy, the
// copy's name is derived from its source (contract.md §Drafts and publishing). Pure.
import { NAME_CHARACTERS, TEMPLATES_PER_TEAM } from "../../limits.ts";

const NAMES_TRIED = TEMPLATES_PER_TEAM + 1;

/**
 * Returns the candidates `<name> (copy)`, `<name> (copy 2)` and so on, in the order in which they
 * are tried. The list has one name more than a team can have templates, so that one name is always
 * free. A long name is cut so that the suffix fits.
 */
export function makeCopyNames(name: string): string[] {
  const characters = Array.from(name);
  return Array.from({ length: NAMES_TRIED }, (_, index) => {
    const suffix = index === 0 ? " (copy)" : ` (copy ${index + 1})`;
    return (
      characters
        .slice(0, NAME_CHARACTERS - suffix.length)
        .join("")
        .trimEnd() + suffix
    );
  });
}
