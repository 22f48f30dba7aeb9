// A message's facts, with values to copy for use in programs.
import type { Email } from "../../../../packages/postern/src/generated/types.ts";
import { CopyableCode } from "../../parts/copy-button.tsx";
import { FactLines } from "../../parts/list/facts.tsx";
import { Panel } from "../../parts/panel.tsx";
import { TimeAgo } from "../../parts/time/time-ago.tsx";

export function MessageAside({ email }: { readonly email: Email }) {
  const metadata = Object.entries(email.metadata ?? {}).map(([name, value]) => `${name}: ${value}`);
  return (
    <Panel title="Message">
      <FactLines
        facts={{
          Cc: email.cc.join(", ") || null,
          Bcc: email.bcc.join(", ") || null,
          Tags: email.tags.join(", ") || null,
          Topic: email.topic || null,
          Campaign: email.campaign || null,
          "IP pool": email.ip_pool || null,
          Metadata: metadata.join(", ") || null,
          Accepted: <TimeAgo at={email.created_at} />,
          "Scheduled for": email.scheduled_at && <TimeAgo at={email.scheduled_at} />,
          Canceled: email.canceled_at && <TimeAgo at={email.canceled_at} />,
          Template: email.template_id && <CopyableCode text={email.template_id} />,
          ID: <CopyableCode text={email.id} />,
          "Message-ID": email.message_id && <CopyableCode text={email.message_id} />,
        }}
      />
    </Panel>
  );
}
