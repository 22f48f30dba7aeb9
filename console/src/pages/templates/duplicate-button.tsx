// Copies a template and opens the copy. It is a button, or an action for a menu.
import { useNavigate } from "@tanstack/react-router";
import { Button } from "../../parts/button.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { useDuplicate } from "./template-calls.ts";

export function DuplicateButton({ id }: { readonly id: string }) {
  const { open, error, isPending } = useCopy(id);
  return (
    <>
      <Button disabled={isPending} onClick={open}>
        Duplicate
      </Button>
      {error && <ErrorNotice error={error} />}
    </>
  );
}

export function useCopy(id: string) {
  const navigate = useNavigate();
  const { mutate, error, isPending } = useDuplicate();
  const open = (): void =>
    mutate(id, {
      onSuccess: (made) =>
        void navigate({ to: "/templates/$templateId", params: { templateId: made.id } }),
    });
  return { open, error, isPending };
}
