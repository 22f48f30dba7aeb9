// A choice between a few views of a page or a panel.

interface ViewSwitchProps<Value extends string> {
  readonly label: string;
  readonly values: readonly (readonly [value: Value, text: string])[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
}

export function ViewSwitch<Value extends string>({
  label,
  values,
  chosen,
  onChoose,
}: ViewSwitchProps<Value>) {
  return (
    <span className="seg" role="group" aria-label={label}>
      {values.map(([value, text]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          className={value === chosen ? "on" : ""}
          onClick={() => onChoose(value)}
        >
          {text}
        </button>
      ))}
    </span>
  );
}
