// Filters the list of suppressions by a part of the address, reason, topic and origin.
import { useEffect, useState } from "react";
import { REASON_NAMES } from "../message/suppression-texts.ts";
import { ORIGINS, REASONS, type FilterChoice } from "./suppressions-search.ts";

/** A typed text takes effect after this pause in typing. */
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
      <label>
        <span>Address contains</span>
        <RestingInput type="search" value={contains} hint="ada@" onRest={onContains} />
      </label>
      <label>
        <span>Reason</span>
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
          <option value="">All</option>
          {REASONS.map((one) => (
            <option key={one} value={one}>
              {REASON_NAMES[one]}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>Topic (* for all topics)</span>
        <RestingInput
          type="text"
          value={topic ?? ""}
          hint="newsletter"
          onRest={(value) => onFilters(withFilter(filters, "topic", value || undefined))}
        />
      </label>
      <label>
        <span>Added</span>
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
          <option value="">All</option>
          <option value="auto">Automatically</option>
          <option value="manual">Manually or by import</option>
        </select>
      </label>
    </div>
  );
}

interface RestingInputProps {
  readonly type: "search" | "text";
  /** An example of what to type. */
  readonly hint: string;
  readonly value: string;
  readonly onRest: (value: string) => void;
}

/** A field whose text takes effect after a pause in typing. */
export function RestingInput({ type, hint, value, onRest }: RestingInputProps) {
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
      placeholder={hint}
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
