// Checkboxes for the event types, and one checkbox for all of them. `email.replied` has a separate
// checkbox, because replies have text from strangers.
import { EVENT_TYPES } from "../../../../packages/postern/src/generated/event-type-list.ts";
import {
  eventName,
  isEventType,
  REPLIED,
  type WebhookTypeName,
} from "../../api/event-type-names.ts";

/** A table cell has space for this many names. */
const FEW = 4;

interface SubscribedEventsProps<Type> {
  readonly legend: string;
  readonly types: readonly Type[];
  readonly chosen: readonly Type[];
  readonly onChoose: (chosen: readonly Type[]) => void;
}

export function SubscribedEvents<Type extends WebhookTypeName>({
  legend,
  types,
  chosen,
  onChoose,
}: SubscribedEventsProps<Type>) {
  const isAll = chosen.filter(isEventType).length === EVENT_TYPES.length;
  const choose = (isChosen: (type: Type) => boolean): void => onChoose(types.filter(isChosen));
  return (
    <fieldset>
      <legend>{legend}</legend>
      <label>
        <input
          type="checkbox"
          checked={isAll}
          onChange={() => choose((type) => (isEventType(type) ? !isAll : chosen.includes(type)))}
        />{" "}
        All
      </label>
      {types.map((type) => (
        <label key={type}>
          <input
            type="checkbox"
            checked={chosen.includes(type)}
            onChange={(event) =>
              choose((one) => (one === type ? event.target.checked : chosen.includes(one)))
            }
          />{" "}
          {eventName(type)}
        </label>
      ))}
    </fieldset>
  );
}

/** Writes `All`, or the names of the event types. */
export function eventTypesText(types: readonly WebhookTypeName[]): string {
  const isAll = types.filter(isEventType).length === EVENT_TYPES.length;
  return isAll
    ? ["All", ...types.filter((type) => type === REPLIED).map(eventName)].join(", ")
    : types.map(eventName).join(", ");
}

/**
 * Describes the event types for a table cell: by a few names, or by their number if the names do
 * not fit.
 */
export function eventSummary(types: readonly WebhookTypeName[]): string {
  return types.length > FEW && types.length < EVENT_TYPES.length
    ? `${types.length} of ${EVENT_TYPES.length}`
    : eventTypesText(types);
}
