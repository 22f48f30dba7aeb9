// The shards of a team's events, and a form to spread the events over more shards. A preview shows
// the result first.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Team } from "../../../api/operator/types.ts";
import { operatorApi } from "../../../api/operator-api-client.ts";
import { queryClient } from "../../../api/query-client.ts";
import { Button, MainButton } from "../../../parts/button.tsx";
import { AsRequest } from "../../../parts/as-request.tsx";
import { ErrorNotice } from "../../../parts/error-notice.tsx";
import { Field, submits, textIn } from "../../../parts/form.tsx";
import { Panel } from "../../../parts/panel.tsx";
import { describeSpan, readShards } from "../shard-texts.ts";

interface Wanted {
  readonly shards?: number[];
  readonly dry_run?: boolean;
}

export function WidenTeam({ team }: { readonly team: Team }) {
  const { id, shards } = team;
  const [wanted, setWanted] = useState<Wanted>({});
  const [problem, setProblem] = useState(false);
  const ask = (body: Wanted) => operatorApi.teams.widen(id, body);
  const trial = useMutation({ mutationFn: (body: Wanted) => ask({ ...body, dry_run: true }) });
  const widen = useMutation({
    mutationFn: ask,
    onSuccess: () => {
      trial.reset();
      void queryClient.invalidateQueries({ queryKey: ["operator"] });
    },
  });
  const submit = submits((values) => {
    const read = readShards(textIn(values, "shards"));
    for (const one of [trial, widen]) one.reset();
    setProblem(read === undefined);
    if (read === undefined) return;
    const body = read === null ? {} : { shards: read };
    setWanted(body);
    trial.mutate(body);
  });
  const isSame = JSON.stringify(trial.data?.shards) === JSON.stringify(shards);
  const failure = trial.error ?? widen.error;
  return (
    <Panel title="Shards" note="Each day’s events are stored on the next shard in turn">
      <form className="padded" aria-label="Shards" onSubmit={submit}>
        <ul>
          {shards.map((span) => (
            <li key={span.from}>{describeSpan(span)}</li>
          ))}
        </ul>
        <Field
          label="Shards to use from midnight UTC"
          name="shards"
          placeholder={shards.at(-1)?.shards.join(", ")}
          inputMode="numeric"
          hint="Separate with commas. Leave empty to add the emptiest shard."
        />
        {problem && <p role="alert">Enter shard numbers, separated by commas.</p>}
        {failure && <ErrorNotice error={failure} />}
        <Button type="submit" disabled={trial.isPending}>
          Preview
        </Button>
        <div role="status">
          {widen.isSuccess && <p>Saved: {widen.data.shards.map(describeSpan).join("; ")}.</p>}
          {trial.data && (
            <>
              <p>
                Result: {trial.data.shards.map(describeSpan).join("; ")}.{" "}
                {isSame ? "Nothing changes." : "Stored events are not moved."}
              </p>
              <MainButton disabled={widen.isPending || isSame} onClick={() => widen.mutate(wanted)}>
                Save shards
              </MainButton>
            </>
          )}
        </div>
        <AsRequest of="shards" method="POST" path={`/admin/teams/${id}/shards`} body={wanted} />
      </form>
    </Panel>
  );
}
