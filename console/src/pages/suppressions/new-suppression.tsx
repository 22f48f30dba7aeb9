// Adds suppressions for one or several addresses, for all topics or one.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { focusField, FormButtons } from "../../parts/form-buttons.tsx";
import { addSuppression, refreshSuppressions } from "./suppression-queries.ts";

/** A session may send 10 requests a second (contract.md §Console sessions). */
const PACE_MS = 150;
const MOST_LINES = 8;

export function NewSuppression({ onClose }: { readonly onClose: () => void }) {
  const [email, setEmail] = useState("");
  const [topic, setTopic] = useState("");
  const [note, setNote] = useState("");
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (given: { topic: string; note: string | null }) => {
      const emails = addressesIn(email);
      for (const [at, one] of emails.entries()) {
        if (at > 0) await new Promise((resolve) => setTimeout(resolve, PACE_MS));
        await addSuppression({ email: one, ...given });
        // After an error, the field keeps the addresses that were not added.
        setEmail(emails.slice(at + 1).join("\n"));
      }
    },
    onSuccess: async () => {
      await refreshSuppressions();
      onClose();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    mutate({ topic: topic.trim() || "*", note: note.trim() || null });
  };
  return (
    <form className="panel padded" aria-label="Add suppression" onSubmit={submit}>
      <label className="field">
        Address
        <textarea
          rows={Math.min(MOST_LINES, Math.max(1, email.split("\n").length))}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          placeholder="jo@example.com"
          aria-describedby="several-addresses"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          required
          ref={focusField}
        />
      </label>
      <small id="several-addresses">For several addresses, write one in each line.</small>
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
        Reason (optional)
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

/** Splits at lines, spaces and commas, because people paste columns and lists. */
function addressesIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter((one) => one !== "");
}
