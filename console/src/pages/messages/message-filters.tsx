// The line of the log's filters: the common choices, the active filters, and a popup with a field
// for each filter. A text takes effect on Enter, or when its field loses the focus.
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { MainButton } from "../../parts/button.tsx";
import { TimeField } from "../../parts/time/time-field.tsx";
import { FilterChips } from "./filter-chips.tsx";
import { FilterChoices } from "./filter-choices.tsx";
import { FILTER_LABELS, type TextFilter } from "./filter-texts.ts";
import type { MessagesFragment, MessagesSearch } from "./messages-search.ts";

type Drafts = Partial<Record<TextFilter | keyof MessagesFragment, string>>;

const TIMES = ["start", "end"] as const;

const MAIN = [
  ["recipient", "ada@example.org"],
  ["subject", "reset password"],
  ["metadata", "order_id=52019"],
  ["domain", "example.com"],
] as const satisfies readonly (readonly [name: keyof Drafts, hint: string])[];

const MORE: readonly (readonly [name: TextFilter, hint: string])[] = [
  ["provider", "google"],
  ["recipient_domain", "example.org"],
  ["refusal", "550 5.7.1 …"],
  ["bounce_classification", "SpamBlock"],
  ["topic", "account"],
  ["campaign", "black-friday"],
  ["tags", "auth, reset"],
  ["email_id", "email_…"],
  ["message_id", "<…@example.com>"],
  ["template_id", "template_…"],
  ["ip_pool", "shared"],
];

interface MessageFiltersProps {
  readonly search: MessagesSearch;
  readonly fragment: MessagesFragment;
  readonly onFilter: (search: MessagesSearch, fragment: MessagesFragment) => void;
}

export function MessageFilters({ search, fragment, onFilter }: MessageFiltersProps) {
  const applied = JSON.stringify([search, fragment]);
  const [typed, setTyped] = useState<{ applied: string; drafts: Drafts }>({ applied, drafts: {} });
  // When the active filters change, texts that were typed but not applied are discarded.
  const drafts = typed.applied === applied ? typed.drafts : {};
  const apply = (): void => {
    if (Object.keys(drafts).length === 0) return;
    setTyped({ applied, drafts: {} });
    const { recipient, subject, metadata, ...texts } = { ...fragment, ...drafts };
    const next: MessagesSearch = { ...search, ...texts };
    if (texts.start || texts.end) delete next.days;
    onFilter(next, {
      ...(recipient && { recipient }),
      ...(subject && { subject }),
      ...(metadata && { metadata }),
    });
  };
  const draft = (name: keyof Drafts, value: string): void =>
    setTyped({ applied, drafts: { ...drafts, [name]: value } });
  const text = (name: keyof Drafts, hint: string): ReactNode => (
    <label key={name}>
      <span>{FILTER_LABELS[name]}</span>
      <input
        value={drafts[name] ?? { ...search, ...fragment }[name] ?? ""}
        placeholder={hint}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => draft(name, target.value)}
        onBlur={apply}
      />
    </label>
  );
  const more = useRef<HTMLDetailsElement>(null);
  return (
    <form
      className="filter-line"
      role="search"
      aria-label="Filters"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
        if (more.current) more.current.open = false;
      }}
    >
      <FilterChoices search={search} onChoose={(next) => onFilter(next, fragment)} />
      <FilterChips search={search} fragment={fragment} onFilter={onFilter} />
      <details ref={more} className="popup">
        <summary className="btn small">Add filter</summary>
        <div className="filters" onKeyDown={closeOnEscape}>
          {MAIN.map(([name, hint]) => text(name, hint))}
          {TIMES.map((name) => (
            <TimeField
              key={name}
              label={FILTER_LABELS[name]}
              value={(drafts[name] ?? search[name]) || undefined}
              onChange={(value) => draft(name, value ?? "")}
              onBlur={apply}
            />
          ))}
          {MORE.map(([name, hint]) => text(name, hint))}
          <MainButton type="submit">Filter</MainButton>
        </div>
      </details>
    </form>
  );
}

function closeOnEscape(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "Escape") return;
  const details = event.currentTarget.closest("details");
  if (!details) return;
  details.open = false;
  details.querySelector("summary")?.focus();
  event.stopPropagation();
}
