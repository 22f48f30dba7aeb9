// Sends a message again to one recipient. First it lifts the suppressions of the address. The
// dialog asks for confirmation, because sent mail can't be recalled.
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Email, Suppression } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { NoResponse } from "../../api/failure.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { Permitted, useMay } from "../../parts/permitted.tsx";
import { useContent } from "./content-queries.ts";
import { deleteSuppression } from "./lift-suppression.tsx";
import { isOpen } from "./recipient-facts.ts";
import { canBeNamed } from "./suppression-texts.ts";

interface SendAgainProps {
  readonly email: Email;
  readonly recipient: string;
  /** The suppressions that would stop the message. */
  readonly suppressions: readonly Suppression[];
}

export function SendAgain({ email, recipient, suppressions }: SendAgainProps) {
  // A person who may not read the content learns from the service's error if the content is not
  // stored.
  const mayRead = useMay("GET /v1/email/{id}/content");
  const { data: content } = useContent(email.id, mayRead);
  const [isAsked, setAsked] = useState(false);
  const [key, setKey] = useState(() => crypto.randomUUID());
  const send = useMutation({
    mutationFn: async () => {
      for (const one of suppressions) await deleteSuppression(one);
      return api.emails.sendAgain(email.id, { to: recipient }, { idempotencyKey: key });
    },
    onSuccess: () => setAsked(false),
    // After an answer, the next send gets a new key. Without an answer, the same key ensures that
    // the message is sent only once.
    onSettled: (_, failure) => {
      if (!(failure instanceof NoResponse)) setKey(crypto.randomUUID());
    },
  });
  const canLift = suppressions.every(({ topic }) => canBeNamed(topic));
  if ((mayRead && !content) || isOpen(email) || !canLift) return null;
  const action = suppressions.length > 0 ? "Lift and send again" : "Send again";
  return (
    <>
      {send.data && (
        <Link to="/messages/$emailId" params={{ emailId: send.data.id }}>
          Sent again
        </Link>
      )}
      <Permitted operation="POST /v1/email/{id}/send-again">
        <Button onClick={() => setAsked(true)}>{action}</Button>
      </Permitted>
      {isAsked && (
        <ConfirmDialog
          title="Send this message again?"
          action={action}
          isSafe
          request={send}
          onConfirm={() => send.mutate()}
          onClose={() => setAsked(false)}
        >
          <p>
            {suppressions.length > 0 && `The suppression of ${recipient} is lifted. `}
            {recipient} alone gets the message once more.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
