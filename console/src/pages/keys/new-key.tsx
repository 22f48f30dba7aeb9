// Creates an API key. Its secret is shown only once.
import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import type { ApiKeySettings } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { FormButtons } from "../../parts/form-buttons.tsx";

interface NewKeyProps {
  readonly onMade: () => void;
  readonly onClose: () => void;
}

export function NewKey({ onMade, onClose }: NewKeyProps) {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (body: ApiKeySettings) => api.apiKeys.create(body),
    onSuccess: onMade,
  });
  if (data) return <MadeKey name={data.name} secret={data.key} onClose={onClose} />;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    mutate({
      name: textOf(form, "name"),
      permissions: textOf(form, "permissions") === "full" ? "full" : "send_only",
      allowed_domains: listOf(form, "allowed_domains"),
      allowed_ips: listOf(form, "allowed_ips"),
    });
  };
  return (
    <form className="panel padded" aria-label="Add key" onSubmit={submit}>
      <KeyFields />
      {error && <ErrorNotice error={error} />}
      <FormButtons act="Add key" isDisabled={isPending} onCancel={onClose} />
    </form>
  );
}

function KeyFields() {
  return (
    <>
      <label className="field">
        Name
        <input name="name" required maxLength={200} placeholder="Shop backend" />
      </label>
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
      <label className="field">
        Sending domains (comma-separated; leave empty for all)
        <input name="allowed_domains" placeholder="example.com" />
      </label>
      <label className="field">
        Allowed IP addresses or ranges (comma-separated; leave empty for any)
        <input name="allowed_ips" placeholder="192.0.2.0/24" />
      </label>
    </>
  );
}

interface MadeKeyProps {
  readonly name: string;
  readonly secret: string;
  readonly onClose: () => void;
}

function MadeKey({ name, secret, onClose }: MadeKeyProps) {
  return (
    <section className="panel padded" aria-label="Add key">
      <h2>{name} is ready</h2>
      <p>Copy the key now. It won’t be shown again.</p>
      <pre className="said">
        {secret} <CopyButton text={secret} />
      </pre>
      <Button onClick={onClose}>Done</Button>
    </section>
  );
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}

function listOf(form: FormData, name: string): string[] | null {
  const parts = textOf(form, name)
    .split(/[\s,]+/)
    .filter((part) => part !== "");
  return parts.length > 0 ? parts : null;
}
