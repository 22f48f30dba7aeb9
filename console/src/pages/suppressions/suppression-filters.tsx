// Filters the list of suppressions by a part of the address, reason, topic and origin.
import { RestingInput } from "../../parts/resting-input.tsx";
import { Select } from "../../parts/select.tsx";
import { REASON_NAMES } from "../message/suppression-texts.ts";
import { REASONS, type FilterChoice } from "./suppressions-search.ts";

const ORIGIN_NAMES = [
  ["", "Added in any way"],
  ["auto", "Added automatically"],
  ["manual", "Added manually or by import"],
] as const;

interface SuppressionFilterBarProps {
  readonly contains: string;
  readonly onContains: (contains: string) => void;
  readonly filters: FilterChoice;
  readonly onFilters: (filters: FilterChoice) => void;
}

export function SuppressionFilterBar(props: SuppressionFilterBarProps) {
  const { contains, onContains, filters, onFilters } = props;
  const { reason, origin, topic } = filters;
  return (
    <div className="filter-line" role="search" aria-label="Suppressions">
      <label>
        <span className="unseen">Address contains</span>
        <RestingInput type="search" value={contains} hint="Address contains" onRest={onContains} />
      </label>
      <label>
        <span className="unseen">Reason</span>
        <Select
          value={reason ?? ""}
          options={[["", "Any reason"], ...REASONS.map((one) => [one, REASON_NAMES[one]] as const)]}
          onChoose={(value) => onFilters(withFilter(filters, "reason", value || undefined))}
        />
      </label>
      <label>
        <span className="unseen">Topic (* for all topics)</span>
        <RestingInput
          type="text"
          value={topic ?? ""}
          hint="Topic, * for all"
          onRest={(value) => onFilters(withFilter(filters, "topic", value || undefined))}
        />
      </label>
      <label>
        <span className="unseen">Added</span>
        <Select
          value={origin ?? ""}
          options={ORIGIN_NAMES}
          onChoose={(value) => onFilters(withFilter(filters, "origin", value || undefined))}
        />
      </label>
    </div>
  );
}

function withFilter<Name extends keyof FilterChoice>(
  filters: FilterChoice,
  name: Name,
  value: FilterChoice[Name],
): FilterChoice {
  const { [name]: _, ...others } = filters;
  return value === undefined ? others : { ...others, [name]: value };
}
