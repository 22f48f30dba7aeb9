// Forms, their fields and the buttons at their end.
import type { ComponentProps, FormEvent, ReactNode } from "react";
import { Button, MainButton } from "./button.tsx";
import { ErrorNotice } from "./error-notice.tsx";

interface RequestFormProps {
  readonly label: string;
  /** The label of the submit button, such as `Add domain`. */
  readonly act: string;
  /** The state of the request that the form sends. */
  readonly request: { readonly error: Error | null; readonly isPending: boolean };
  /** True: the form can't be submitted yet. */
  readonly isIncomplete?: boolean;
  readonly className?: string;
  readonly onSubmit: (values: FormData) => void;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** A form for one action: its fields, the error of the action, and two buttons. */
export function RequestForm(props: RequestFormProps) {
  const { label, act, request, isIncomplete = false, className = "panel padded" } = props;
  return (
    <form className={className} aria-label={label} onSubmit={submits(props.onSubmit)}>
      {props.children}
      {request.error && <ErrorNotice error={request.error} />}
      <div className="buttons">
        <Button onClick={props.onCancel}>Cancel</Button>
        <MainButton type="submit" disabled={request.isPending || isIncomplete}>
          {act}
        </MainButton>
      </div>
    </form>
  );
}

/** Returns the handler of a form's submission. The handler gets the values of the fields. */
export function submits(run: (values: FormData) => void) {
  return (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    run(new FormData(event.currentTarget));
  };
}

/** Returns the value of a text field without the spaces around it. */
export function textIn(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === "string" ? value.trim() : "";
}

interface FieldProps extends ComponentProps<"input"> {
  readonly label: ReactNode;
  /** An explanation below the field. */
  readonly hint?: string;
}

export function Field({ label, hint, ...input }: FieldProps) {
  return (
    <label className="field">
      {label}
      <input {...input} />
      {hint !== undefined && <small>{hint}</small>}
    </label>
  );
}

/** A field for names and addresses, which the browser must not complete or correct. */
export const AS_TYPED = {
  autoComplete: "off",
  autoCapitalize: "off",
  spellCheck: false,
} as const satisfies ComponentProps<"input">;

/** A `ref` that moves the focus to a field when it appears. */
export function focusField(input: HTMLInputElement | HTMLTextAreaElement | null): void {
  input?.focus();
}
