// The filters of the log. A text takes effect on Enter, or when its field is left.
import { type ReactNode, useState } from "react";
import { TimeField } from "../../parts/time-field.tsx";
import { FilterChoices } from "./filter-choices.tsx";
import type { MessagesFragment, MessagesSearch, PlainFilter } from "./messages-search.ts";

type Drafts = Partial<Record<PlainFilter | "start" | "end" | "recipient" | "subject", string>>;

const TIMES = [
  ["start", "From"],
  ["end", "Until"],
] as const;

const MORE: readonly (readonly [name: PlainFilter, label: string, hint: string])[] = [
  ["topic", "Topic", "account"],
  ["campaign", "Campaign", "black-friday"],
  ["tags", "Any of the tags", "auth, reset"],
  ["email_id", "Email id", "email_…"],
  ["message_id", "Message-ID", "<…@example.com>"],
  ["template_id", "Template id", "tpl_…"],
  ["ip_pool", "IP pool", "shared"],
];

interface MessageFiltersProps {
  readonly search: MessagesSearch;
  readonly fragment: MessagesFragment;
  readonly onFilter: (search: MessagesSearch, fragment: MessagesFragment) => void;
}

export function MessageFilters({ search, fragment, onFilter }: MessageFiltersProps) {
  const applied = JSON.stringify([search, fragment]);
  const [typed, setTyped] = useState<{ applied: string; drafts: Drafts }>({ applied, drafts: {} });
  // The texts that were typed belong to the filters that they were typed over.
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
  const text = (name: keyof Drafts, label: string, hint: string): ReactNode => (
    <label key={name}>
      <span>{label}</span>
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
      {text("recipient", "Recipient", "ada@example.org")}
      {text("subject", "Words of the subject", "reset password")}
      {text("domain", "Sending domain", "example.com")}
      <details open={[...TIMES, ...MORE].some(([name]) => search[name] !== undefined) || undefined}>
        <summary>More filters</summary>
        <div className="filters">
          {TIMES.map(([name, label]) => (
            <TimeField
              key={name}
              label={label}
              value={(drafts[name] ?? search[name]) || undefined}
              onChange={(value) => draft(name, value ?? "")}
              onBlur={apply}
            />
          ))}
          {MORE.map(([name, label, hint]) => text(name, label, hint))}
        </div>
      </details>
      <button type="submit" className="unseen" tabIndex={-1}>
        Filter
      </button>
      {isFiltered(search, fragment) && (
        <ClearFilters onClear={() => onFilter(search.view ? { view: search.view } : {}, {})} />
      )}
    </form>
  );
}

function ClearFilters({ onClear }: { readonly onClear: () => void }) {
  return (
    <button type="button" className="btn" onClick={onClear}>
      Clear filters
    </button>
  );
}

function isFiltered(search: MessagesSearch, fragment: MessagesFragment): boolean {
  return Object.keys({ ...search, ...fragment }).some((name) => name !== "view" && name !== "open");
}
