// Invites an owner of a team. The owner then invites the other members (docs/people.md). Only the
// operator can invite the first owner.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Team } from "../../../api/operator/types.ts";
import { operatorApi } from "../../../api/operator-api-client.ts";
import { Button } from "../../../parts/button.tsx";
import { RequestForm, Field, focusField, textIn } from "../../../parts/form.tsx";
import { Panel } from "../../../parts/panel.tsx";
import { Invited } from "../../members/invited.tsx";

export function InviteOwner({ team: { id } }: { readonly team: Team }) {
  const [isOpen, setOpen] = useState(false);
  const inviting = useMutation({
    mutationFn: (email: string) => operatorApi.teams.inviteOwner(id, { email }),
  });
  const close = (): void => {
    inviting.reset();
    setOpen(false);
  };
  if (inviting.data) return <Invited {...inviting.data} onClose={close} />;
  return (
    <Panel title="Owners" note="People who invite the team’s other members">
      {isOpen ? (
        <RequestForm
          label="Invite an owner"
          act="Invite"
          request={inviting}
          className="padded"
          onSubmit={(values) => inviting.mutate(textIn(values, "email"))}
          onCancel={close}
        >
          <Field
            label="Email address"
            name="email"
            type="email"
            required
            maxLength={320}
            ref={focusField}
          />
        </RequestForm>
      ) : (
        <div className="padded">
          <Button onClick={() => setOpen(true)}>Invite an owner</Button>
        </div>
      )}
    </Panel>
  );
}
