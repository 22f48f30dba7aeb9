// Copies a template and opens the copy.
import { useNavigate } from "@tanstack/react-router";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { useDuplicate } from "./template-calls.ts";

export function DuplicateButton({ id }: { readonly id: string }) {
  const navigate = useNavigate();
  const { mutate, error, isPending } = useDuplicate();
  const copy = (): void =>
    mutate(id, {
      onSuccess: (made) =>
        void navigate({ to: "/templates/$templateId", params: { templateId: made.id } }),
    });
  return (
    <>
      <button type="button" className="btn" disabled={isPending} onClick={copy}>
        Duplicate
      </button>
      {error && <ErrorNotice error={error} />}
    </>
  );
}
