// The form of the team's settings. It sends only the changed settings, and the person can undo the
// change.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Team, UpdateTeamRequest } from "../../../api/operator/types.ts";
import { operatorApi } from "../../../api/operator-api-client.ts";
import { queryClient } from "../../../api/query-client.ts";
import { MainButton, SmallButton } from "../../../parts/button.tsx";
import { AsRequest } from "../../../parts/as-request.tsx";
import { ErrorNotice } from "../../../parts/error-notice.tsx";
import { Panel } from "../../../parts/panel.tsx";
import { changesOf, describeChanges, type TeamForm, undoOf } from "./team-changes.ts";
import { TeamFields } from "./team-fields.tsx";

interface Patch {
  readonly changes: UpdateTeamRequest;
  /** The changes that undo this change. Null: this change is itself an undo. */
  readonly undo: UpdateTeamRequest | null;
  readonly said: readonly string[];
}

export function TeamSettings({ team }: { readonly team: Team }) {
  const [changes, setChanges] = useState<UpdateTeamRequest>({});
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: async (patch: Patch) => {
      await operatorApi.teams.update(team.id, patch.changes);
      return patch;
    },
    onSuccess: async () => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ["operator", "team", team.id] }),
        queryClient.invalidateQueries({ queryKey: ["operator", "teams"] }),
      ]);
      setChanges({});
    },
  });
  const said = describeChanges(team, changes);
  return (
    <Panel title="Settings" note="Changes take effect within two minutes">
      {/* The key resets the form when the team has changed. */}
      <form
        key={team.updated_at}
        className="padded"
        aria-label="Settings"
        onChange={(event) => {
          reset();
          setChanges(changesOf(team, readForm(event)));
        }}
        onSubmit={(event) => {
          event.preventDefault();
          if (said.length > 0) mutate({ changes, undo: undoOf(team, changes), said });
        }}
      >
        <TeamFields team={team} />
        {said.length > 0 && <pre className="said">{said.join("\n")}</pre>}
        {error && <ErrorNotice error={error} />}
        <div className="buttons">
          <MainButton type="submit" disabled={isPending || said.length === 0}>
            Save settings
          </MainButton>
        </div>
        {said.length > 0 && (
          <AsRequest
            of="these changes"
            method="PATCH"
            path={`/admin/teams/${team.id}`}
            body={changes}
          />
        )}
      </form>
      <div role="status">
        {data && (
          <Saved
            patch={data}
            onUndo={(undo) =>
              mutate({ changes: undo, undo: null, said: describeChanges(team, undo) })
            }
          />
        )}
      </div>
    </Panel>
  );
}

interface SavedProps {
  readonly patch: Patch;
  readonly onUndo: (undo: UpdateTeamRequest) => void;
}

function Saved({ patch: { undo, said }, onUndo }: SavedProps) {
  return (
    <div className="todo">
      <span className="dot ok" aria-hidden="true" />
      <p>
        {undo ? "Saved. " : "Undone. "}
        {said.join("; ")}
      </p>
      {undo && <SmallButton onClick={() => onUndo(undo)}>Undo</SmallButton>}
    </div>
  );
}

function readForm({ currentTarget }: FormEvent<HTMLFormElement>): TeamForm {
  const texts = [...new FormData(currentTarget)].filter(
    (pair): pair is [string, string] => typeof pair[1] === "string",
  );
  return Object.fromEntries(texts);
}
