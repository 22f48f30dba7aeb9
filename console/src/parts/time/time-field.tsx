// A field for a date and a time. Its label names the time zone.
import { useState } from "react";
import { fieldOf, formatExact, timesOf, utcOf } from "./times.ts";
import { useClock } from "./time-ago.tsx";

interface TimeFieldProps {
  readonly label: string;
  /** ISO 8601. Undefined: the field is empty. */
  readonly value: string | undefined;
  /** Is called with the time in UTC. */
  readonly onChange: (value: string | undefined) => void;
  readonly isRequired?: boolean;
  readonly onBlur?: () => void;
}

export function TimeField(props: TimeFieldProps) {
  const { label, value, onChange, isRequired = false, onBlur } = props;
  const clock = useClock();
  const { zone } = clock;
  const [typed, setTyped] = useState("");
  const at = value === undefined ? Number.NaN : Date.parse(value);
  // The field shows the typed text while this text stands for the time `value`.
  const isTyped = value === utcOf(typed, zone);
  const shown = isTyped ? typed : Number.isNaN(at) ? "" : fieldOf(at, zone);
  const times = timesOf(shown, zone).length;
  return (
    <div className="field">
      <label>
        <span>
          {label} ({zone})
        </span>
        <input
          type="datetime-local"
          value={shown}
          required={isRequired}
          onBlur={onBlur}
          onChange={({ target }) => {
            setTyped(target.value);
            onChange(utcOf(target.value, zone));
          }}
        />
      </label>
      <small role="status">
        {shown !== "" &&
          times !== 1 &&
          `${times === 0 ? "The clocks skip this time" : "This time occurs twice"}: ` +
            `${formatExact(at, clock)} is meant.`}
      </small>
    </div>
  );
}
