// Adds a sending domain. The list then shows the records to publish.
import { useMutation } from "@tanstack/react-query";
import { api } from "../../api/api-client.ts";
import { RequestForm, AS_TYPED, Field, focusField, textIn } from "../../parts/form.tsx";
import { refreshDomains } from "./domain-queries.ts";

interface NewDomainProps {
  readonly onAdded: (id: string) => void;
  readonly onClose: () => void;
}

export function NewDomain({ onAdded, onClose }: NewDomainProps) {
  const add = useMutation({
    mutationFn: (name: string) => api.domains.create({ name }),
    onSuccess: async ({ id }) => {
      await refreshDomains();
      onAdded(id);
    },
  });
  return (
    <RequestForm
      label="Add domain"
      act="Add domain"
      request={add}
      onSubmit={(values) => add.mutate(textIn(values, "name"))}
      onCancel={onClose}
    >
      <Field
        label="Domain"
        name="name"
        placeholder="news.acme.shop"
        required
        ref={focusField}
        {...AS_TYPED}
      />
      <small>
        Use a subdomain to keep its reputation separate from that of your everyday mail.
      </small>
    </RequestForm>
  );
}
