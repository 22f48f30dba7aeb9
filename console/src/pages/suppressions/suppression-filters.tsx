// Narrows the list of suppressions: by a part of the address, reason, topic and origin.
import { useEffect, useState } from "react";
import { REASON_NAMES } from "./suppression-facts.ts";
import { ORIGINS, REASONS, type FilterChoice } from "./suppressions-search.ts";

/** Time without a key until what is typed counts. */
const REST_MS = 300;

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
    <div className="filters" role="search" aria-label="Suppressions">
      <RestingInput type="search" label="Address contains" value={contains} onRest={onContains} />
      <select
        aria-label="Reason"
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
      <RestingInput
        type="text"
        label="Topic, or * for all"
        value={topic ?? ""}
        onRest={(value) => onFilters(withFilter(filters, "topic", value || undefined))}
      />
      <select
        aria-label="Origin"
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
        <option value="">Any origin</option>
        <option value="auto">Automatic</option>
        <option value="manual">Added or imported</option>
      </select>
    </div>
  );
}

interface RestingInputProps {
  readonly type: "search" | "text";
  readonly label: string;
  readonly value: string;
  readonly onRest: (value: string) => void;
}

/** A field whose text counts once the typing rests. */
export function RestingInput({ type, label, value, onRest }: RestingInputProps) {
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    if (typed.trim() !== value) setTyped(value);
  }
  useEffect(() => {
    if (typed.trim() === value) return undefined;
    const timer = setTimeout(() => onRest(typed.trim()), REST_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onRest]);
  return (
    <input
      type={type}
      aria-label={label}
      placeholder={label}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
    />
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
