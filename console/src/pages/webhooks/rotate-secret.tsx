// Replaces the signing secret of a webhook.
import { useMutation } from "@tanstack/react-query";
import type { Webhook } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { ShownOnce } from "../../parts/shown-once.tsx";
import { ExactTime } from "../../parts/time/time-ago.tsx";
import { refreshWebhooks } from "./webhook-queries.ts";

interface RotateSecretProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

/**
 * Asks for confirmation, replaces the secret, and shows the new one with the expiry of the old one.
 */
export function RotateSecret({ webhook, onClose }: RotateSecretProps) {
  const rotate = useMutation({
    mutationFn: () => api.webhooks.rotateSecret(webhook.id),
    onSuccess: refreshWebhooks,
  });
  if (rotate.data) {
    const { signing_secret: secret, signing_secret_grace_expires_at: until } = rotate.data;
    return (
      <ShownOnce
        title={`New secret for ${webhook.name}`}
        secret={secret}
        isAnnounced
        onClose={onClose}
      >
        Copy the signing secret now. It won’t be shown again.{" "}
        {until !== null && (
          <>
            The previous secret works until <ExactTime at={until} />; until then, deliveries are
            signed with both.
          </>
        )}
      </ShownOnce>
    );
  }
  return (
    <ConfirmDialog
      title={`Rotate the secret of ${webhook.name}?`}
      action="Rotate secret"
      request={rotate}
      onConfirm={() => rotate.mutate()}
      onClose={onClose}
    >
      <p>
        The new secret is used immediately. The current one,{" "}
        <code>{webhook.signing_secret_prefix}…</code>, works for another 24 hours: update your
        endpoint within that time.
      </p>
    </ConfirmDialog>
  );
}
