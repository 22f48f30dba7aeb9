// The page "Settings": whether people read replies, and the names of topics.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { TeamSettings } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { ChangedMeanwhile, changeGuarded } from "../../api/guarded-change.ts";
import { queryClient } from "../../api/query-client.ts";
import { teamSettingsQuery } from "../../api/team-settings.ts";
import { MainButton } from "../../parts/button.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { submits, textIn } from "../../parts/form.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Permitted } from "../../parts/permitted.tsx";
import { QueryResult } from "../../parts/query-result.tsx";
import { readTopicLines, toTopicLines } from "./topic-lines.ts";

const TOPIC_ROWS = 6;

type Values = Pick<TeamSettings, "reads_replies" | "topic_names">;

export function Settings() {
  const query = useQuery(teamSettingsQuery);
  return (
    <>
      <PageHead title="Settings" />
      <QueryResult query={query}>{(settings) => <SettingsForm settings={settings} />}</QueryResult>
      <AsRequest path="/v1/team" />
    </>
  );
}

function SettingsForm({ settings }: { readonly settings: TeamSettings }) {
  const [seen, setSeen] = useState(settings);
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: (values: Values) => saveSettings(seen, values),
    onSuccess: async (saved) => {
      setSeen(saved);
      await queryClient.invalidateQueries({ queryKey: teamSettingsQuery.queryKey });
    },
    // The notice says that another person or tab has changed the settings. If the person saves
    // again, their change replaces the other one.
    onError: (failure) => {
      if (failure instanceof ChangedMeanwhile) setSeen(failure.current as TeamSettings);
    },
  });
  const submit = submits((values) =>
    mutate({
      reads_replies: values.has("reads_replies"),
      topic_names: readTopicLines(textIn(values, "topics")),
    }),
  );
  return (
    <form className="panel padded" aria-label="Settings" onSubmit={submit}>
      <label>
        <input type="checkbox" name="reads_replies" defaultChecked={settings.reads_replies} /> We
        read replies here
      </label>
      <p className="muted">
        Messages may then ask for replies even if no webhook names <code>email.replied</code>.
      </p>
      <label className="field">
        Names of topics
        <textarea
          name="topics"
          rows={TOPIC_ROWS}
          defaultValue={toTopicLines(settings.topic_names)}
          placeholder="newsletter = Weekly news"
        />
      </label>
      <p className="muted">
        One topic a line. Recipients see the name on the page where they unsubscribe.
      </p>
      {error && <ErrorNotice error={error} />}
      <div className="buttons">
        {isSuccess && <span role="status">Saved.</span>}
        <Permitted operation="PATCH /v1/team" act="change settings">
          <MainButton type="submit" disabled={isPending}>
            Save settings
          </MainButton>
        </Permitted>
      </div>
    </form>
  );
}

function saveSettings(base: Values, values: Values): Promise<TeamSettings> {
  return changeGuarded({
    read: (options) => api.team.getSettings(options),
    isSeen: (current) => textOf(current) === textOf(base),
    write: (options) => api.team.updateSettings(values, options),
  });
}

function textOf({ reads_replies: reads, topic_names: names }: Values): string {
  return JSON.stringify([reads, toTopicLines(names)]);
}
