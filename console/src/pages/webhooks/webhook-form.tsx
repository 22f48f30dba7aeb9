// Creates or changes a webhook: its name, URL, format and event types.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Webhook } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { EVENT_TYPES, type EventTypeName } from "../../api/event-type-names.ts";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { FormButtons } from "../../parts/form-buttons.tsx";
import { SigningSecret } from "./signing-secret.tsx";
import { SubscribedEvents } from "./subscribed-events.tsx";
import { refreshWebhooks } from "./webhook-queries.ts";

type WebhookValues = Pick<Webhook, "name" | "url" | "format" | "events">;

interface WebhookFormProps {
  readonly title: string;
  readonly act: string;
  readonly webhook?: Webhook;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly onSave: (values: WebhookValues) => void;
  readonly onClose: () => void;
}

/** Creates a webhook, and shows its signing secret once. */
export function NewWebhook({ onClose }: { readonly onClose: () => void }) {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (body: WebhookValues) => api.webhooks.create(body),
    onSuccess: refreshWebhooks,
  });
  if (data)
    return (
      <SigningSecret title={`${data.name} is ready`} secret={data.signing_secret} onClose={onClose}>
        Your endpoint needs the secret to verify the signature of each delivery.
      </SigningSecret>
    );
  return (
    <WebhookForm
      title="Add webhook"
      act="Add webhook"
      error={error}
      isPending={isPending}
      onSave={mutate}
      onClose={onClose}
    />
  );
}

interface EditWebhookProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

export function EditWebhook({ webhook, onClose }: EditWebhookProps) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: (values: WebhookValues) =>
      saveWebhook(webhook.id, {
        ...values,
        status: webhook.status === "disabled" ? "disabled" : "active",
      }),
    onSuccess: async () => {
      await refreshWebhooks();
      onClose();
    },
  });
  return (
    <>
      <WebhookForm
        title={`Edit ${webhook.name}`}
        act="Save webhook"
        webhook={webhook}
        error={error}
        isPending={isPending}
        onSave={mutate}
        onClose={onClose}
      />
      {webhook.status === "circuit_disabled" && (
        <p className="muted">Saving also resumes deliveries: queued events are sent immediately.</p>
      )}
    </>
  );
}

type Saved = Pick<Webhook, "name" | "url" | "events"> &
  Partial<Pick<Webhook, "format">> & { status: "active" | "disabled" };

/** Replaces every setting of the webhook. */
export function saveWebhook(id: string, body: Saved): Promise<Webhook> {
  return api.webhooks.update(id, body);
}

function WebhookForm(props: WebhookFormProps) {
  const { title, act, webhook, error, isPending, onSave, onClose } = props;
  const [events, setEvents] = useState<readonly EventTypeName[]>(webhook?.events ?? EVENT_TYPES);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [name, url] = [form.get("name"), form.get("url")];
    if (typeof name !== "string" || typeof url !== "string") return;
    const format = form.get("format") === "resend" ? "resend" : "batch";
    onSave({ name: name.trim(), url: url.trim(), format, events: [...events] });
  };
  return (
    <form className="panel padded" aria-label={title} onSubmit={submit}>
      <h2>{title}</h2>
      <label className="field">
        Name
        <input name="name" required maxLength={200} defaultValue={webhook?.name} />
      </label>
      <label className="field">
        URL (https)
        <input
          name="url"
          type="url"
          required
          maxLength={2_048}
          defaultValue={webhook?.url}
          placeholder="https://shop.example.com/hooks/mail"
        />
      </label>
      <label className="field">
        Format
        <select name="format" defaultValue={webhook?.format}>
          <option value="batch">Batches of events</option>
          <option value="resend">One event per request (Resend’s format)</option>
        </select>
      </label>
      <SubscribedEvents legend="Events to send" chosen={events} onChoose={setEvents} />
      {error && <ErrorNotice error={error} />}
      <FormButtons act={act} isDisabled={isPending || events.length === 0} onCancel={onClose} />
    </form>
  );
}
