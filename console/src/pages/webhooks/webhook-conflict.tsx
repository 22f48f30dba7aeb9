// Shows the settings of a webhook in which the stored and the edited version differ, after another
// person or tab has changed the webhook. The person takes one of the versions.
import type { Webhook } from "../../../../packages/postern/src/generated/types.ts";
import { ConflictButtons } from "../../parts/conflict-buttons.tsx";

export type WebhookValues = Pick<Webhook, "name" | "url" | "format" | "events"> & {
  readonly auto_replies: boolean;
};

interface WebhookConflictProps {
  readonly mine: WebhookValues;
  readonly theirs: Pick<Webhook, keyof WebhookValues>;
  readonly onMine: () => void;
  readonly onTheirs: () => void;
}

const NAMES = {
  name: "Name",
  url: "URL",
  format: "Format",
  events: "Events",
  auto_replies: "Automatic replies",
} as const;

export function WebhookConflict({ mine, theirs, onMine, onTheirs }: WebhookConflictProps) {
  const names = Object.keys(NAMES) as (keyof WebhookValues)[];
  const stored: WebhookValues = { ...theirs, auto_replies: theirs.auto_replies ?? false };
  const different = names.filter((name) => String(mine[name]) !== String(stored[name]));
  return (
    <div className="problem" role="alert">
      <p>
        This webhook was changed in the meantime, in another tab or by another person. Nothing was
        saved, and your entries are still in the form.
      </p>
      <dl>
        {different.flatMap((name) => [
          <dt key={`${name} mine`}>{NAMES[name]}, yours</dt>,
          <dd key={`${name} my value`}>{[mine[name]].flat().join(", ")}</dd>,
          <dt key={`${name} theirs`}>{NAMES[name]}, theirs</dt>,
          <dd key={`${name} their value`}>{[stored[name]].flat().join(", ")}</dd>,
        ])}
      </dl>
      <ConflictButtons onMine={onMine} onTheirs={onTheirs} />
    </div>
  );
}
