// The active filters, each with a button that removes it. If a provider refuses mail, its filter
// has a link to the provider's contact form.
import { SmallButton } from "../../parts/button.tsx";
import { useClock } from "../../parts/time/time-ago.tsx";
import { useLastDay } from "../deliverability/deliverability-query.ts";
import { ProviderContact } from "../deliverability/provider-contact.tsx";
import { FILTER_LABELS, type FilterName, filtersInForce } from "./filter-texts.ts";
import type { MessagesFragment, MessagesSearch } from "./messages-search.ts";

interface FilterChipsProps {
  readonly search: MessagesSearch;
  readonly fragment: MessagesFragment;
  readonly onFilter: (search: MessagesSearch, fragment: MessagesFragment) => void;
}

export function FilterChips({ search, fragment, onFilter }: FilterChipsProps) {
  const { provider } = search;
  const { data: mail } = useLastDay(provider !== undefined);
  const titleOf = (name: string): string =>
    mail?.providers.find((one) => (one.provider ?? "none") === name)?.title ?? name;
  const inForce = filtersInForce(search, fragment, titleOf, useClock());
  if (inForce.length === 0) return null;
  const remove = (name: FilterName): void => {
    const [others, parts] = [{ ...search }, { ...fragment }];
    if (name === "recipient" || name === "subject" || name === "metadata") delete parts[name];
    else delete others[name];
    onFilter(others, parts);
  };
  const findings = mail?.findings.filter((one) => (one.provider ?? "none") === provider) ?? [];
  return (
    <ul className="plain chips in-force" aria-label="Active filters">
      {inForce.map(({ name, value }) => (
        <li key={name} className="chip">
          {FILTER_LABELS[name]} <b>{value}</b>{" "}
          <button
            type="button"
            className="remove"
            aria-label={`Remove filter: ${FILTER_LABELS[name]}`}
            onClick={() => remove(name)}
          >
            ×
          </button>
        </li>
      ))}
      <li>
        <SmallButton onClick={() => onFilter(search.view ? { view: search.view } : {}, {})}>
          Clear filters
        </SmallButton>
      </li>
      <li>
        <ProviderContact findings={findings} />
      </li>
    </ul>
  );
}
