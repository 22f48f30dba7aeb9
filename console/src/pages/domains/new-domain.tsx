// Adds a sending domain. The list then shows the records to publish.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "../../api/api-client.ts";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { focusField, FormButtons } from "../../parts/form-buttons.tsx";
import { refreshDomains } from "./domain-queries.ts";

interface NewDomainProps {
  readonly onAdded: (id: string) => void;
  readonly onClose: () => void;
}

export function NewDomain({ onAdded, onClose }: NewDomainProps) {
  const [name, setName] = useState("");
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.domains.create({ name: name.trim() }),
    onSuccess: async ({ id }) => {
      await refreshDomains();
      onAdded(id);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    mutate();
  };
  return (
    <form className="panel padded" aria-label="Add domain" onSubmit={submit}>
      <label className="field">
        Domain
        <input
          value={name}
          onChange={(event) => setName(event.target.value)}
          placeholder="news.acme.shop"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          required
          ref={focusField}
        />
      </label>
      <small>
        Use a subdomain to keep its reputation separate from that of your everyday mail.
      </small>
      {error && <ErrorNotice error={error} />}
      <FormButtons act="Add domain" isDisabled={isPending} onCancel={onClose} />
    </form>
  );
}
