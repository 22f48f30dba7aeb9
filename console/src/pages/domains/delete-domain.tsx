// Deletes a domain after the person has typed its name.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Domain } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { refreshDomains } from "./domain-queries.ts";

interface DeleteDomainProps {
  readonly domain: Domain;
  /** Called after the deletion, to leave the page of the domain. */
  readonly onDeleted: () => Promise<void>;
}

export function DeleteDomain({ domain: { id, name }, onDeleted }: DeleteDomainProps) {
  const [isAsking, setAsking] = useState(false);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.domains.delete(id),
    onSuccess: async () => {
      setAsking(false);
      await onDeleted();
      await refreshDomains();
    },
  });
  return (
    <>
      <button type="button" className="btn danger" onClick={() => setAsking(true)}>
        Delete domain
      </button>
      {isAsking && (
        <ConfirmDialog
          title={`Delete domain ${name}?`}
          action="Delete domain"
          mustType={name}
          error={error}
          isBusy={isPending}
          onConfirm={() => mutate()}
          onClose={() => setAsking(false)}
        >
          <p>
            Sending from {name} stops within a minute. Its DKIM keys are deleted. If you add the
            domain again, you need to publish new DNS records.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
