// The filters with a fixed choice: the time range and the event type.
import { EVENT_TYPES } from "../../../../packages/postern/src/generated/event-type-list.ts";
import { eventName } from "../../api/event-type-names.ts";
import { useRetentionDays } from "./events-query.ts";
import { FILTER_LABELS } from "./filter-texts.ts";
import { type MessagesSearch, WINDOWS } from "./messages-search.ts";

interface FilterChoicesProps {
  readonly search: MessagesSearch;
  readonly onChoose: (search: MessagesSearch) => void;
}

export function FilterChoices({ search, onChoose }: FilterChoicesProps) {
  // Time ranges longer than the team's event retention are left out, because the service would
  // silently shorten them.
  const reach = useRetentionDays() ?? Number.POSITIVE_INFINITY;
  const windows = WINDOWS.filter((days) => Number(days) <= reach || days === search.days);
  const hasOwn = search.start !== undefined || search.end !== undefined;
  return (
    <>
      <label>
        <span className="unseen">{FILTER_LABELS.days}</span>
        <select
          value={hasOwn ? "own" : (search.days ?? "1")}
          onChange={({ target }) => {
            const { start: _start, end: _end, days: _days, ...others } = search;
            const days = WINDOWS.find((one) => one === target.value);
            onChoose(days === undefined || days === "1" ? others : { ...others, days });
          }}
        >
          {windows.map((days) => (
            <option key={days} value={days}>
              {days === "1" ? "Last 24 hours" : `Last ${days} days`}
            </option>
          ))}
          {hasOwn && <option value="own">Custom range</option>}
        </select>
      </label>
      <label>
        <span className="unseen">{FILTER_LABELS.event_type}</span>
        <select
          value={search.event_type ?? ""}
          onChange={({ target }) => {
            const { event_type: _type, ...others } = search;
            const type = EVENT_TYPES.find((one) => one === target.value);
            onChoose(type === undefined ? others : { ...others, event_type: type });
          }}
        >
          <option value="">All events</option>
          {EVENT_TYPES.map((type) => (
            <option key={type} value={type}>
              {eventName(type)}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}
