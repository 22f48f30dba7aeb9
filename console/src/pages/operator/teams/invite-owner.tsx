// Invites an owner of a team. The owner then invites the other members (docs/people.md). Only the
// operator can invite the first owner.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Team } from "../../../api/operator/types.ts";
import { operatorApi } from "../../../api/operator-api-client.ts";
import { Button } from "../../../parts/button.tsx";
import { ErrorNotice } from "../../../parts/error-notice.tsx";
import { focusField, FormButtons } from "../../../parts/form-buttons.tsx";
import { Panel } from "../../../parts/panel.tsx";
import { Invited } from "../../members/invited.tsx";

export function InviteOwner({ team: { id } }: { readonly team: Team }) {
  const [isOpen, setOpen] = useState(false);
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: (email: string) => operatorApi.teams.inviteOwner(id, { email }),
  });
  const close = (): void => {
    reset();
    setOpen(false);
  };
  if (data) return <Invited {...data} onClose={close} />;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const email = new FormData(event.currentTarget).get("email");
    mutate(typeof email === "string" ? email.trim() : "");
  };
  return (
    <Panel title="Owners" note="People who invite the team’s other members">
      {isOpen ? (
        <form className="padded" aria-label="Invite an owner" onSubmit={submit}>
          <label className="field">
            Email address
            <input name="email" type="email" required maxLength={320} ref={focusField} />
          </label>
          {error && <ErrorNotice error={error} />}
          <FormButtons act="Invite" isDisabled={isPending} onCancel={close} />
        </form>
      ) : (
        <div className="padded">
          <Button onClick={() => setOpen(true)}>Invite an owner</Button>
        </div>
      )}
    </Panel>
  );
}
