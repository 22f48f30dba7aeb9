// Shows the two buttons at the end of a form, and moves the focus to its first field.
import { Button, MainButton } from "./button.tsx";

interface FormButtonsProps {
  /** The label of the submit button, such as `Add domain`. */
  readonly act: string;
  readonly isDisabled: boolean;
  readonly onCancel: () => void;
}

export function FormButtons({ act, isDisabled, onCancel }: FormButtonsProps) {
  return (
    <div className="buttons">
      <Button onClick={onCancel}>Cancel</Button>
      <MainButton type="submit" disabled={isDisabled}>
        {act}
      </MainButton>
    </div>
  );
}

/** A `ref` that moves the focus to a field when it appears. */
export function focusField(input: HTMLInputElement | HTMLTextAreaElement | null): void {
  input?.focus();
}
