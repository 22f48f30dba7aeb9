// Invites a person. The result is a link to copy, or a mail with the link.
import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { focusField, FormButtons } from "../../parts/form-buttons.tsx";
import { Invited } from "./invited.tsx";
import { invite, refreshMembers } from "./member-calls.ts";
import { RightsFields, rightsIn } from "./member-rights.tsx";

const NO_RIGHTS = {
  role: "viewer",
  may_lift_suppressions: false,
  may_read_content: false,
} as const;

export function InviteMember({ onClose }: { readonly onClose: () => void }) {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: invite,
    onSuccess: refreshMembers,
  });
  if (data) return <Invited {...data} onClose={onClose} />;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const email = form.get("email");
    mutate({
      email: typeof email === "string" ? email.trim() : "",
      ...rightsIn(form),
      send_mail: form.has("send_mail"),
    });
  };
  return (
    <form className="panel padded" aria-label="Invite" onSubmit={submit}>
      <label className="field">
        Email address
        <input name="email" type="email" required maxLength={320} ref={focusField} />
      </label>
      <RightsFields rights={NO_RIGHTS} />
      <label>
        <input type="checkbox" name="send_mail" /> Send the link by mail
      </label>
      {error && <ErrorNotice error={error} />}
      <FormButtons act="Invite" isDisabled={isPending} onCancel={onClose} />
    </form>
  );
}
