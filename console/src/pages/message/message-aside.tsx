// A message's facts, with values to copy for use in programs.
import type { Email } from "../../../../packages/postern/src/generated/types.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Panel } from "../../parts/panel.tsx";
import { TimeAgo } from "../../parts/time/time-ago.tsx";

export function MessageAside({ email }: { readonly email: Email }) {
  const rows: readonly (readonly [string, string | null])[] = [
    ["Cc", email.cc.join(", ")],
    ["Bcc", email.bcc.join(", ")],
    ["Tags", email.tags.join(", ")],
    ["Topic", email.topic],
    ["Campaign", email.campaign],
    ["IP pool", email.ip_pool],
    [
      "Metadata",
      Object.entries(email.metadata ?? {})
        .map(([name, value]) => `${name}: ${value}`)
        .join(", "),
    ],
  ];
  const times: readonly (readonly [string, string | null | undefined])[] = [
    ["Scheduled for", email.scheduled_at],
    ["Canceled", email.canceled_at],
  ];
  const copied: readonly (readonly [string, string | null])[] = [
    ["Template", email.template_id],
    ["ID", email.id],
    ["Message-ID", email.message_id],
  ];
  return (
    <Panel title="Message">
      <dl className="facts">
        {rows.map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
        <div>
          <dt>Accepted</dt>
          <dd>
            <TimeAgo at={email.created_at} />
          </dd>
        </div>
        {times.map(([name, at]) =>
          at ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <TimeAgo at={at} />
              </dd>
            </div>
          ) : null,
        )}
        {copied.map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{value}</code> <CopyButton text={value} />
              </dd>
            </div>
          ) : null,
        )}
      </dl>
    </Panel>
  );
}
