// Opens the console as a team, by a link that works once (contract.md §Console sessions). It asks
// for confirmation, because the operator then sees the team's mail, and the service logs this.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Team } from "../../../api/operator/types.ts";
import { callService } from "../../../api/api-client.ts";
import { Button } from "../../../parts/button.tsx";
import { ConfirmDialog } from "../../../parts/confirm-dialog.tsx";

export function OpenAsTeam({ team: { id, name } }: { readonly team: Team }) {
  const [isAsked, setAsked] = useState(false);
  const open = useMutation({
    mutationFn: () =>
      callService<{ readonly url: string }>({
        method: "POST",
        path: "/admin/console-links",
        body: { team_id: id },
      }),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  return (
    <>
      <Button onClick={() => setAsked(true)}>Open as this team</Button>
      {isAsked && (
        <ConfirmDialog
          title={`Open the console as ${name}?`}
          action="Open as this team"
          isSafe
          request={open}
          onConfirm={() => open.mutate()}
          onClose={() => setAsked(false)}
        >
          <p>
            You can see and change everything that the team can, with the team’s oldest key with
            full access. The service logs the team and the time. You stay signed in as operator.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
