// Adds a suppression for one address, for all topics or one.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { focusField, FormButtons } from "../../parts/form-buttons.tsx";
import { addSuppression, refreshSuppressions } from "./suppression-queries.ts";

export function NewSuppression({ onClose }: { readonly onClose: () => void }) {
  const [email, setEmail] = useState("");
  const [topic, setTopic] = useState("");
  const [note, setNote] = useState("");
  const { mutate, error, isPending } = useMutation({
    mutationFn: addSuppression,
    onSuccess: async () => {
      await refreshSuppressions();
      onClose();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    mutate({ email, topic: topic.trim() || "*", note: note.trim() || null });
  };
  return (
    <form className="panel padded" aria-label="Add suppression" onSubmit={submit}>
      <label className="field">
        Address
        <input
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          placeholder="jo@example.com"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          required
          ref={focusField}
        />
      </label>
      <label className="field">
        Topic (leave empty for all topics)
        <input
          value={topic}
          onChange={(event) => setTopic(event.target.value)}
          placeholder="newsletter"
          maxLength={64}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      </label>
      <label className="field">
        Note (optional)
        <input
          value={note}
          onChange={(event) => setNote(event.target.value)}
          placeholder="Asked by phone"
          maxLength={1000}
        />
      </label>
      {error && <ErrorNotice error={error} />}
      <FormButtons act="Add suppression" isDisabled={isPending} onCancel={onClose} />
    </form>
  );
}
