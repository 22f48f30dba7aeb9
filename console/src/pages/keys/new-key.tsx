// Creates an API key. Its secret is shown only once.
import { useMutation } from "@tanstack/react-query";
import type { ApiKeySettings } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { RequestForm, Field, textIn } from "../../parts/form.tsx";
import { ShownOnce } from "../../parts/shown-once.tsx";

interface NewKeyProps {
  readonly onMade: () => void;
  readonly onClose: () => void;
}

export function NewKey({ onMade, onClose }: NewKeyProps) {
  const make = useMutation({
    mutationFn: (body: ApiKeySettings) => api.apiKeys.create(body),
    onSuccess: onMade,
  });
  if (make.data)
    return (
      <ShownOnce
        label="Add key"
        title={`${make.data.name} is ready`}
        secret={make.data.key}
        onClose={onClose}
      >
        Copy the key now. It won’t be shown again.
      </ShownOnce>
    );
  const submit = (values: FormData): void =>
    make.mutate({
      name: textIn(values, "name"),
      permissions: textIn(values, "permissions") === "full" ? "full" : "send_only",
      allowed_domains: listIn(values, "allowed_domains"),
      allowed_ips: listIn(values, "allowed_ips"),
    });
  return (
    <RequestForm label="Add key" act="Add key" request={make} onSubmit={submit} onCancel={onClose}>
      <KeyFields />
    </RequestForm>
  );
}

function KeyFields() {
  return (
    <>
      <Field label="Name" name="name" required maxLength={200} placeholder="Shop backend" />
      <fieldset className="choices-in-turn">
        <legend>Permissions</legend>
        <label>
          <input
            type="radio"
            name="permissions"
            value="send_only"
            defaultChecked
            aria-describedby="send-only-means"
          />{" "}
          Send only
        </label>
        <small id="send-only-means">
          Sends mail and can’t read anything. Suitable for a program that only sends.
        </small>
        <label>
          <input type="radio" name="permissions" value="full" aria-describedby="full-means" /> Full
          access
        </label>
        <small id="full-means">
          Also reads the outcomes of mail, and changes domains, templates, webhooks, suppressions
          and keys. Suitable for this console and for administration.
        </small>
      </fieldset>
      <Field
        label="Sending domains (comma-separated; leave empty for all)"
        name="allowed_domains"
        placeholder="example.com"
      />
      <Field
        label="Allowed IP addresses or ranges (comma-separated; leave empty for any)"
        name="allowed_ips"
        placeholder="192.0.2.0/24"
      />
    </>
  );
}

function listIn(values: FormData, name: string): string[] | null {
  const parts = textIn(values, name)
    .split(/[\s,]+/)
    .filter((part) => part !== "");
  return parts.length > 0 ? parts : null;
}
