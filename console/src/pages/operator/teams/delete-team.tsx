// Deletes a team and everything it owns, after the person has typed its name.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Team } from "../../../api/operator/types.ts";
import { operatorApi } from "../../../api/operator-api-client.ts";
import { queryClient } from "../../../api/query-client.ts";
import { DangerButton } from "../../../parts/button.tsx";
import { ConfirmDialog } from "../../../parts/confirm-dialog.tsx";
import { Panel } from "../../../parts/panel.tsx";

export function DeleteTeam({ team: { id, name } }: { readonly team: Team }) {
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => operatorApi.teams.delete(id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["operator", "teams"] });
      await navigate({ to: "/operator/teams" });
    },
  });
  return (
    <Panel title="Delete team">
      <div className="padded">
        <p>
          The team’s API keys stop working immediately. Its domains, templates, suppressions,
          webhooks, events and pending mail are permanently deleted.
        </p>
        <DangerButton onClick={() => setAsking(true)}>Delete team</DangerButton>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={`Delete team ${name}?`}
          action="Delete team"
          mustType={name}
          request={remove}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>Everything the team owns is deleted. This can’t be undone.</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
