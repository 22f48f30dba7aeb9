// The filters with a fixed choice: the time range and the event type.
import { EVENT_TYPES } from "../../../../packages/postern/src/generated/event-type-list.ts";
import { eventName } from "../../api/event-type-names.ts";
import { Select } from "../../parts/select.tsx";
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
        <Select
          value={hasOwn ? "own" : (search.days ?? "1")}
          options={[
            ...windows.map((days) => [days, daysText(days)] as const),
            ...(hasOwn ? [["own", "Custom range"] as const] : []),
          ]}
          onChoose={(chosen) => {
            const { start: _start, end: _end, days: _days, ...others } = search;
            onChoose(chosen === "own" || chosen === "1" ? others : { ...others, days: chosen });
          }}
        />
      </label>
      <label>
        <span className="unseen">{FILTER_LABELS.event_type}</span>
        <Select
          value={search.event_type ?? ""}
          options={[
            ["", "All events"],
            ...EVENT_TYPES.map((type) => [type, eventName(type)] as const),
          ]}
          onChoose={(type) => {
            const { event_type: _type, ...others } = search;
            onChoose(type === "" ? others : { ...others, event_type: type });
          }}
        />
      </label>
    </>
  );
}

function daysText(days: (typeof WINDOWS)[number]): string {
  return days === "1" ? "Last 24 hours" : `Last ${days} days`;
}
