// Renames a template, in the head of its page.
import { useState } from "react";
import type { Template } from "../../../../packages/postern/src/generated/types.ts";
import { SmallButton } from "../../parts/button.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { submits, textIn } from "../../parts/form.tsx";
import { useRename } from "./template-calls.ts";

export function RenameTemplate({ template }: { readonly template: Pick<Template, "id" | "name"> }) {
  const [isOpen, setOpen] = useState(false);
  const { mutate, error, isPending } = useRename(template);
  if (!isOpen) return <SmallButton onClick={() => setOpen(true)}>Rename</SmallButton>;
  const submit = submits((values) =>
    mutate(textIn(values, "name"), { onSuccess: () => setOpen(false) }),
  );
  return (
    <form className="rename" onSubmit={submit}>
      <input name="name" aria-label="New name" defaultValue={template.name} required />
      <SmallButton type="submit" disabled={isPending}>
        Rename
      </SmallButton>
      <SmallButton onClick={() => setOpen(false)}>Cancel</SmallButton>
      {error && <ErrorNotice error={error} />}
    </form>
  );
}
