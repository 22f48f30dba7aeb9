// Renames a template, in the head of its page.
import { type FormEvent, useState } from "react";
import type { Template } from "../../../../packages/postern/src/generated/types.ts";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { useRename } from "./template-calls.ts";

export function RenameTemplate({ template }: { readonly template: Pick<Template, "id" | "name"> }) {
  const [isOpen, setOpen] = useState(false);
  const { mutate, error, isPending } = useRename(template);
  if (!isOpen)
    return (
      <button type="button" className="btn small" onClick={() => setOpen(true)}>
        Rename
      </button>
    );
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const name = new FormData(event.currentTarget).get("name");
    if (typeof name === "string") mutate(name.trim(), { onSuccess: () => setOpen(false) });
  };
  return (
    <form className="rename" onSubmit={submit}>
      <input name="name" aria-label="New name" defaultValue={template.name} required />
      <button type="submit" className="btn small" disabled={isPending}>
        Rename
      </button>
      <button type="button" className="btn small" onClick={() => setOpen(false)}>
        Cancel
      </button>
      {error && <ErrorNotice error={error} />}
    </form>
  );
}
