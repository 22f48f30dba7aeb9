// Creates a team and its first key. The key's secret is shown only once. The team starts with the
// default limits. The team's page can change them.
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { operatorApi } from "../../../api/operator-api-client.ts";
import { queryClient } from "../../../api/query-client.ts";
import { Button } from "../../../parts/button.tsx";
import { CopyButton } from "../../../parts/copy-button.tsx";
import { ErrorNotice } from "../../../parts/error-notice.tsx";
import { FormButtons } from "../../../parts/form-buttons.tsx";

export function NewTeam({ onClose }: { readonly onClose: () => void }) {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (name: string) => operatorApi.teams.create({ name }),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ["operator", "teams"] }),
  });
  if (data)
    return (
      <section className="panel padded" aria-label="New team">
        <h2>Team {data.name} created</h2>
        <p>Copy the team’s first API key now: it won’t be shown again. It has full access.</p>
        <pre className="said">
          {data.api_key.key} <CopyButton text={data.api_key.key} />
        </pre>
        <div className="buttons">
          <Button onClick={onClose}>Done</Button>
          <Link to="/operator/teams/$teamId" params={{ teamId: data.id }} className="btn">
            Set limits
          </Link>
        </div>
      </section>
    );
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const name = new FormData(event.currentTarget).get("name");
    mutate(typeof name === "string" ? name : "");
  };
  return (
    <form className="panel padded" aria-label="New team" onSubmit={submit}>
      <label className="field">
        Name
        <input name="name" required maxLength={200} placeholder="Acme Shop" />
      </label>
      <p className="muted">
        Limits: 10,000 recipients a day and 100,000 a month. You can change them on the team’s page.
      </p>
      {error && <ErrorNotice error={error} />}
      <FormButtons act="Create team" isDisabled={isPending} onCancel={onClose} />
    </form>
  );
}
