// A preview's variables as a form. Each text, number and truth value has a field. Each object and
// each item of a list has a group. A value keeps its type. A person adds items in the JSON.
import type { ReactNode } from "react";
import { Field } from "../../parts/form.tsx";
import { setAt, type ValuePath, type VariableValues } from "./variables-json.ts";

interface VariablesFormProps {
  readonly values: VariableValues;
  readonly onChange: (values: VariableValues) => void;
}

export function VariablesForm({ values, onChange }: VariablesFormProps) {
  if (Object.keys(values).length === 0)
    return <p className="inset muted">The template has no variables.</p>;
  const change = (path: ValuePath, value: unknown): void => onChange(setAt(values, path, value));
  return <div className="inset variables">{fieldsOf(values, [], change)}</div>;
}

type Change = (path: ValuePath, value: unknown) => void;

function fieldsOf(values: object, path: ValuePath, change: Change): ReactNode {
  return Object.entries(values).map(([name, value]: [string, unknown]) => (
    <ValueField key={name} path={[...path, name]} value={value} change={change} />
  ));
}

interface ValueFieldProps {
  readonly path: ValuePath;
  readonly value: unknown;
  readonly change: Change;
}

function ValueField({ path, value, change }: ValueFieldProps) {
  const name = path.at(-1) ?? "";
  if (typeof value === "object" && value !== null)
    return (
      <fieldset>
        <legend>{Array.isArray(value) ? `${name} (list)` : name}</legend>
        {fieldsOf(value, path, change)}
      </fieldset>
    );
  if (typeof value === "boolean")
    return (
      <label className="switch">
        <input
          type="checkbox"
          checked={value}
          onChange={({ target }) => change(path, target.checked)}
        />{" "}
        {name}
      </label>
    );
  if (typeof value === "number")
    return (
      <Field
        label={name}
        type="number"
        step="any"
        value={value}
        onChange={({ target }) => change(path, target.valueAsNumber || 0)}
      />
    );
  return (
    <Field
      label={name}
      value={typeof value === "string" ? value : ""}
      onChange={({ target }) => change(path, target.value)}
    />
  );
}
