// A field whose text takes effect after a pause in typing.
import { useEffect, useState } from "react";
import { AS_TYPED } from "./form.tsx";

/** The pause in typing after which a text takes effect. */
const REST_MS = 300;

interface RestingInputProps {
  readonly type: "search" | "text";
  /** An example of what to type. */
  readonly hint?: string;
  readonly value: string;
  readonly onRest: (value: string) => void;
}

export function RestingInput({ type, hint, value, onRest }: RestingInputProps) {
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    if (typed.trim() !== value) setTyped(value);
  }
  useEffect(() => {
    if (typed.trim() === value) return undefined;
    const timer = setTimeout(() => onRest(typed.trim()), REST_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onRest]);
  return (
    <input
      type={type}
      placeholder={hint}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      {...AS_TYPED}
    />
  );
}
