// Adds suppressions for one or several addresses, for all topics or one.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { pause } from "../../api/request-pace.ts";
import { RequestForm, AS_TYPED, Field, focusField, textIn } from "../../parts/form.tsx";
import { addSuppression, refreshSuppressions } from "./suppression-queries.ts";

const MOST_LINES = 8;

export function NewSuppression({ onClose }: { readonly onClose: () => void }) {
  const [email, setEmail] = useState("");
  const add = useMutation({
    mutationFn: async (given: { topic: string; note: string | null }) => {
      const emails = addressesIn(email);
      for (const [at, one] of emails.entries()) {
        if (at > 0) await pause();
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
  return (
    <RequestForm
      label="Add suppression"
      act="Add suppression"
      request={add}
      onSubmit={(values) =>
        add.mutate({ topic: textIn(values, "topic") || "*", note: textIn(values, "note") || null })
      }
      onCancel={onClose}
    >
      <label className="field">
        Address
        <textarea
          rows={Math.min(MOST_LINES, Math.max(1, email.split("\n").length))}
          value={email}
          onChange={({ target }) => setEmail(target.value)}
          placeholder="jo@example.com"
          aria-describedby="several-addresses"
          {...AS_TYPED}
          required
          ref={focusField}
        />
      </label>
      <small id="several-addresses">For several addresses, write one in each line.</small>
      <Field
        label="Topic (leave empty for all topics)"
        name="topic"
        placeholder="newsletter"
        maxLength={64}
        {...AS_TYPED}
      />
      <Field label="Reason (optional)" name="note" placeholder="Asked by phone" maxLength={1000} />
    </RequestForm>
  );
}

/** Splits at lines, spaces and commas, because people paste columns and lists. */
function addressesIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter((one) => one !== "");
}
