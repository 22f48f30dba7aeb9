// Creates a team and its first key. The key's secret is shown only once. The team starts with the
// default limits. The team's page can change them.
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { operatorApi } from "../../../api/operator-api-client.ts";
import { queryClient } from "../../../api/query-client.ts";
import { RequestForm, Field, textIn } from "../../../parts/form.tsx";
import { ShownOnce } from "../../../parts/shown-once.tsx";

export function NewTeam({ onClose }: { readonly onClose: () => void }) {
  const create = useMutation({
    mutationFn: (name: string) => operatorApi.teams.create({ name }),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ["operator", "teams"] }),
  });
  if (create.data)
    return (
      <ShownOnce
        label="New team"
        title={`Team ${create.data.name} created`}
        secret={create.data.api_key.key}
        next={
          <Link to="/operator/teams/$teamId" params={{ teamId: create.data.id }} className="btn">
            Set limits
          </Link>
        }
        onClose={onClose}
      >
        Copy the team’s first API key now: it won’t be shown again. It has full access.
      </ShownOnce>
    );
  return (
    <RequestForm
      label="New team"
      act="Create team"
      request={create}
      onSubmit={(values) => create.mutate(textIn(values, "name"))}
      onCancel={onClose}
    >
      <Field label="Name" name="name" required maxLength={200} placeholder="Acme Shop" />
      <p className="muted">
        Limits: 10,000 recipients a day and 100,000 a month. You can change them on the team’s page.
      </p>
    </RequestForm>
  );
}
