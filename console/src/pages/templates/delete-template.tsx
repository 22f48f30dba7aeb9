// Deletes a template, after a confirmation.
import type { Template } from "../../../../packages/postern/src/generated/types.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { useDeleteTemplate } from "./template-calls.ts";

interface DeleteTemplateProps {
  readonly template: Pick<Template, "id" | "name" | "published_at" | "updated_at">;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

export function DeleteTemplate({ template, onDeleted, onClose }: DeleteTemplateProps) {
  const remove = useDeleteTemplate(template);
  return (
    <ConfirmDialog
      title={`Delete template ${template.name}?`}
      action="Delete template"
      request={remove}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onDeleted })}
      onClose={onClose}
    >
      {template.published_at === null
        ? "Its draft is deleted too. This can’t be undone."
        : "New messages with this template will be refused. Its draft is deleted too. This can’t be undone."}
    </ConfirmDialog>
  );
}
