// The line above the list of suppressions: the number of matches, the sort order, and a jump to an
// address.
import { formatCount } from "../../parts/figures.ts";
import { RestingInput } from "../../parts/resting-input.tsx";
import { Select } from "../../parts/select.tsx";
import { suppressionCountText } from "./suppression-facts.ts";
import type { SortChoice } from "./suppressions-search.ts";

const SORT_NAMES = [
  ["newest", "Newest first"],
  ["oldest", "Oldest first"],
  ["email", "By address"],
] as const;

interface SuppressionListTopProps {
  readonly count: { readonly total: number; readonly has_more: boolean } | undefined;
  readonly isNarrowed: boolean;
  readonly sort: SortChoice;
  readonly onSort: (sort: SortChoice) => void;
  /** The address at which the list begins. Empty: the list begins with its first entry. */
  readonly from: string;
  readonly onFrom: (from: string) => void;
}

export function SuppressionListTop(props: SuppressionListTopProps) {
  const { count, isNarrowed, sort, onSort, from, onFrom } = props;
  return (
    <div className="top list-top">
      <small role="status">
        {count && suppressionCountText(formatCount(count.total), count, isNarrowed)}
      </small>
      <span className="right">
        {sort === "email" && (
          <label>
            <span>Jump to</span>
            <RestingInput type="search" value={from} hint="ada@" onRest={onFrom} />
          </label>
        )}
        <label>
          <span>Sort</span>
          <Select value={sort} options={SORT_NAMES} onChoose={onSort} />
        </label>
      </span>
    </div>
  );
}
