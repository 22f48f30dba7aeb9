// Invites a person. The result is a link to copy, or a mail with the link.
import { useMutation } from "@tanstack/react-query";
import { RequestForm, Field, focusField, textIn } from "../../parts/form.tsx";
import { Invited } from "./invited.tsx";
import { invite, refreshMembers } from "./member-calls.ts";
import { RightsFields, rightsIn } from "./member-rights.tsx";

const NO_RIGHTS = {
  role: "viewer",
  may_lift_suppressions: false,
  may_read_content: false,
} as const;

export function InviteMember({ onClose }: { readonly onClose: () => void }) {
  const inviting = useMutation({ mutationFn: invite, onSuccess: refreshMembers });
  if (inviting.data) return <Invited {...inviting.data} onClose={onClose} />;
  const submit = (values: FormData): void =>
    inviting.mutate({
      email: textIn(values, "email"),
      ...rightsIn(values),
      send_mail: values.has("send_mail"),
    });
  return (
    <RequestForm
      label="Invite"
      act="Invite"
      request={inviting}
      onSubmit={submit}
      onCancel={onClose}
    >
      <Field
        label="Email address"
        name="email"
        type="email"
        required
        maxLength={320}
        ref={focusField}
      />
      <RightsFields rights={NO_RIGHTS} />
      <label>
        <input type="checkbox" name="send_mail" /> Send the link by mail
      </label>
    </RequestForm>
  );
}
