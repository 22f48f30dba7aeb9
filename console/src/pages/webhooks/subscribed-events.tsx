// Checkboxes for the event types, and one checkbox for all of them.
import { EVENT_TYPES, eventName, type EventTypeName } from "../../api/event-type-names.ts";

/** A table cell has space for this many names. */
const FEW = 4;

interface SubscribedEventsProps {
  readonly legend: string;
  readonly chosen: readonly EventTypeName[];
  readonly onChoose: (chosen: readonly EventTypeName[]) => void;
}

export function SubscribedEvents({ legend, chosen, onChoose }: SubscribedEventsProps) {
  const isAll = chosen.length === EVENT_TYPES.length;
  return (
    <fieldset>
      <legend>{legend}</legend>
      <label>
        <input
          type="checkbox"
          checked={isAll}
          onChange={() => onChoose(isAll ? [] : EVENT_TYPES)}
        />{" "}
        All
      </label>
      {EVENT_TYPES.map((type) => (
        <label key={type}>
          <input
            type="checkbox"
            checked={chosen.includes(type)}
            onChange={(event) =>
              onChoose(
                EVENT_TYPES.filter((one) =>
                  one === type ? event.target.checked : chosen.includes(one),
                ),
              )
            }
          />{" "}
          {eventName(type)}
        </label>
      ))}
    </fieldset>
  );
}

/** Writes `All`, or the names of the event types. */
export function eventTypesText(types: readonly EventTypeName[]): string {
  return types.length === EVENT_TYPES.length ? "All" : types.map(eventName).join(", ");
}

/**
 * Describes the event types for a table cell: by a few names, or by their number if there are more.
 */
export function eventSummary(types: readonly EventTypeName[]): string {
  return types.length > FEW && types.length < EVENT_TYPES.length
    ? `${types.length} of ${EVENT_TYPES.length}`
    : eventTypesText(types);
}
