// Creates or changes a webhook: its name, URL, format, event types, and whether it gets automatic
// replies.
import { useMutation } from "@tanstack/react-query";
import { type ComponentProps, useState } from "react";
import type { Webhook } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { ChangedMeanwhile, changeGuarded } from "../../api/guarded-change.ts";
import { EVENT_TYPES } from "../../../../packages/postern/src/generated/event-type-list.ts";
import { REPLIED, type WebhookTypeName } from "../../api/event-type-names.ts";
import { RequestForm, Field, textIn } from "../../parts/form.tsx";
import { ShownOnce } from "../../parts/shown-once.tsx";
import { SubscribedEvents } from "./subscribed-events.tsx";
import { WebhookConflict, type WebhookValues } from "./webhook-conflict.tsx";
import { refreshWebhooks } from "./webhook-queries.ts";

interface WebhookFormProps {
  readonly title: string;
  readonly act: string;
  readonly webhook?: Webhook;
  readonly request: ComponentProps<typeof RequestForm>["request"];
  readonly onSave: (values: WebhookValues) => void;
  readonly onClose: () => void;
}

/** Creates a webhook, and shows its signing secret once. */
export function NewWebhook({ onClose }: { readonly onClose: () => void }) {
  const create = useMutation({
    mutationFn: (body: WebhookValues) => api.webhooks.create(body),
    onSuccess: refreshWebhooks,
  });
  if (create.data)
    return (
      <ShownOnce
        title={`${create.data.name} is ready`}
        secret={create.data.signing_secret}
        isAnnounced
        onClose={onClose}
      >
        Copy the signing secret now. It won’t be shown again. Your endpoint needs the secret to
        verify the signature of each delivery.
      </ShownOnce>
    );
  return (
    <WebhookForm
      title="Add webhook"
      act="Add webhook"
      request={create}
      onSave={create.mutate}
      onClose={onClose}
    />
  );
}

interface EditWebhookProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

export function EditWebhook({ webhook, onClose }: EditWebhookProps) {
  // The page reads the webhook repeatedly. The form keeps the version that it opened with.
  const [seen, setSeen] = useState(webhook);
  const { mutate, error, isPending, variables, reset } = useMutation({
    mutationFn: ({ values, base }: { values: WebhookValues; base: Webhook }) =>
      saveWebhook(base, {
        ...values,
        status: base.status === "disabled" ? "disabled" : "active",
      }),
    onSuccess: async () => {
      await refreshWebhooks();
      onClose();
    },
  });
  const theirs = error instanceof ChangedMeanwhile ? (error.current as Webhook) : null;
  return (
    <>
      <WebhookForm
        key={JSON.stringify(seen)}
        title={`Edit ${webhook.name}`}
        act="Save webhook"
        webhook={seen}
        request={{ error: theirs ? null : error, isPending }}
        onSave={(values) => mutate({ values, base: seen })}
        onClose={onClose}
      />
      {theirs && variables && (
        <WebhookConflict
          mine={variables.values}
          theirs={theirs}
          onMine={() => mutate({ values: variables.values, base: theirs })}
          onTheirs={() => {
            reset();
            setSeen(theirs);
          }}
        />
      )}
      {webhook.status === "circuit_disabled" && (
        <p className="muted">Saving also resumes deliveries: queued events are sent immediately.</p>
      )}
    </>
  );
}

type Saved = Pick<WebhookValues, "name" | "url" | "events"> &
  Partial<Pick<WebhookValues, "format" | "auto_replies">> & { status: "active" | "disabled" };

/**
 * Replaces every setting of the webhook. Throws a ChangedMeanwhile if its settings differ from
 * those of `base`. A pause by the service does not count as a change.
 */
export function saveWebhook(base: Webhook, body: Saved): Promise<Webhook> {
  return changeGuarded({
    read: (options) => api.webhooks.get(base.id, options),
    isSeen: (current) => settingsOf(current) === settingsOf(base),
    write: (options) => api.webhooks.update(base.id, body, options),
  });
}

/** Deletes the webhook. Fails if the webhook has changed since the person saw it. */
export function deleteWebhook(base: Webhook): Promise<void> {
  return changeGuarded({
    read: (options) => api.webhooks.get(base.id, options),
    isSeen: (current) => settingsOf(current) === settingsOf(base),
    write: (options) => api.webhooks.delete(base.id, options),
  });
}

function settingsOf(webhook: Webhook): string {
  const { name, url, format, events, status, auto_replies: autoReplies } = webhook;
  return JSON.stringify([name, url, format, events, status === "disabled", autoReplies ?? false]);
}

function WebhookForm({ title, act, webhook, request, onSave, onClose }: WebhookFormProps) {
  const [events, setEvents] = useState<readonly WebhookTypeName[]>(webhook?.events ?? EVENT_TYPES);
  const submit = (values: FormData): void =>
    onSave({
      name: textIn(values, "name"),
      url: textIn(values, "url"),
      format: values.get("format") === "resend" ? "resend" : "batch",
      events: [...events],
      auto_replies: values.has("auto_replies"),
    });
  return (
    <RequestForm
      label={title}
      act={act}
      request={request}
      isIncomplete={events.length === 0}
      onSubmit={submit}
      onCancel={onClose}
    >
      <h2>{title}</h2>
      <Field label="Name" name="name" required maxLength={200} defaultValue={webhook?.name} />
      <Field
        label="URL (https)"
        name="url"
        type="url"
        required
        maxLength={2_048}
        defaultValue={webhook?.url}
        placeholder="https://shop.example.com/hooks/mail"
      />
      <label className="field">
        Format
        <select name="format" defaultValue={webhook?.format}>
          <option value="batch">Batches of events</option>
          <option value="resend">One event per request (Resend’s format)</option>
        </select>
      </label>
      <SubscribedEvents
        legend="Events to send"
        types={[...EVENT_TYPES, REPLIED]}
        chosen={events}
        onChoose={setEvents}
      />
      {events.includes(REPLIED) && (
        <label>
          <input type="checkbox" name="auto_replies" defaultChecked={webhook?.auto_replies} /> Also
          send automatic replies, such as out-of-office notes
        </label>
      )}
    </RequestForm>
  );
}
