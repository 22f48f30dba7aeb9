// Deletes a domain after the person has typed its name.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Domain } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { changeGuarded } from "../../api/guarded-change.ts";
import { DangerButton } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { refreshDomains } from "./domain-queries.ts";
import { isSameTracking } from "./tracking-form.tsx";

interface DeleteDomainProps {
  readonly domain: Domain;
  /** Is called after the deletion, to leave the page of the domain. */
  readonly onDeleted: () => Promise<void>;
}

export function DeleteDomain({ domain, onDeleted }: DeleteDomainProps) {
  const { id, name } = domain;
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () =>
      changeGuarded({
        read: (options) => api.domains.get(id, options),
        isSeen: (current) => isSameTracking(current.tracking, domain.tracking),
        write: (options) => api.domains.delete(id, options),
      }),
    onError: () => void refreshDomains(),
    onSuccess: async () => {
      setAsking(false);
      await onDeleted();
      await refreshDomains();
    },
  });
  return (
    <>
      <DangerButton onClick={() => setAsking(true)}>Delete domain</DangerButton>
      {isAsking && (
        <ConfirmDialog
          title={`Delete domain ${name}?`}
          action="Delete domain"
          mustType={name}
          request={remove}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>
            Sending from {name} stops within two minutes. Its DKIM keys are deleted. If you add the
            domain again, you need to publish new DNS records.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
