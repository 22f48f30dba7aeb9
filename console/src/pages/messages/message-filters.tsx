// The fields of the log's filters. A text takes effect on Enter, or when its field loses the focus.
import { type ReactNode, useState } from "react";
import { TimeField } from "../../parts/time/time-field.tsx";
import { FilterChips } from "./filter-chips.tsx";
import { FilterChoices } from "./filter-choices.tsx";
import { FILTER_LABELS, type TextFilter } from "./filter-texts.ts";
import type { MessagesFragment, MessagesSearch } from "./messages-search.ts";

type Drafts = Partial<Record<TextFilter | keyof MessagesFragment, string>>;

const TIMES = ["start", "end"] as const;

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
  // A change of the active filters discards texts that were typed but not applied.
  const drafts = typed.applied === applied ? typed.drafts : {};
  const apply = (): void => {
    if (Object.keys(drafts).length === 0) return;
    setTyped({ applied, drafts: {} });
    const { recipient = fragment.recipient, subject = fragment.subject, ...texts } = drafts;
    const next: MessagesSearch = { ...search, ...texts };
    if (texts.start || texts.end) delete next.days;
    onFilter(next, { ...(recipient && { recipient }), ...(subject && { subject }) });
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
  return (
    <form
      className="filters"
      role="search"
      aria-label="Filters"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <FilterChoices search={search} onChoose={(next) => onFilter(next, fragment)} />
      {text("recipient", "ada@example.org")}
      {text("subject", "reset password")}
      {text("domain", "example.com")}
      <details>
        <summary>More filters</summary>
        <div className="filters">
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
        </div>
      </details>
      <button type="submit" className="unseen" tabIndex={-1}>
        Filter
      </button>
      <FilterChips search={search} fragment={fragment} onFilter={onFilter} />
    </form>
  );
}
