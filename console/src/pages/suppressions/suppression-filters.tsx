// Filters the list of suppressions by a part of the address, reason, topic and origin.
import { RestingInput } from "../../parts/resting-input.tsx";
import { REASON_NAMES } from "../message/suppression-texts.ts";
import { ORIGINS, REASONS, type FilterChoice } from "./suppressions-search.ts";

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
        <select
          value={reason ?? ""}
          onChange={({ target: { value } }) =>
            onFilters(
              withFilter(
                filters,
                "reason",
                REASONS.find((one) => one === value),
              ),
            )
          }
        >
          <option value="">Any reason</option>
          {REASONS.map((one) => (
            <option key={one} value={one}>
              {REASON_NAMES[one]}
            </option>
          ))}
        </select>
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
        <select
          value={origin ?? ""}
          onChange={({ target: { value } }) =>
            onFilters(
              withFilter(
                filters,
                "origin",
                ORIGINS.find((one) => one === value),
              ),
            )
          }
        >
          <option value="">Added in any way</option>
          <option value="auto">Added automatically</option>
          <option value="manual">Added manually or by import</option>
        </select>
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
