// A choice among a few values, as a select box.
import type { ComponentProps } from "react";

interface SelectProps<Value extends string> extends Omit<
  ComponentProps<"select">,
  "value" | "onChange"
> {
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly onChoose: (value: Value) => void;
}

export function Select<Value extends string>(props: SelectProps<Value>) {
  const { value, options, onChoose, ...others } = props;
  return (
    <select value={value} onChange={({ target }) => onChoose(target.value as Value)} {...others}>
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  );
}
