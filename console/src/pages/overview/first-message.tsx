// The overview of a team that has sent nothing yet: the steps to do, and whether each is done.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Domain } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { CopyableBlock } from "../../parts/copy-button.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Permitted } from "../../parts/permitted.tsx";
import { Pill } from "../../parts/pill.tsx";
import { domainCommand, sendCommand, simulatorOf } from "./first-command.ts";
import { useWebhooks } from "./overview-queries.ts";

interface FirstMessageProps {
  readonly domains: readonly Domain[];
  /** The number of days without mail. */
  readonly days: number;
}

export function FirstMessage({ domains, days }: FirstMessageProps) {
  const keys = useQuery({
    queryKey: ["keys", "first"],
    queryFn: () => api.apiKeys.list({ limit: 1 }).page(),
  });
  const webhooks = useWebhooks();
  const verified = domains.find(({ status }) => status === "verified");
  const key = keys.data?.data[0];
  const webhook = webhooks.data?.data[0];
  return (
    <Panel title="Get started" note={`No mail in the last ${days} days`}>
      <ol className="plain steps">
        <DomainStep verified={verified} first={domains[0]} />
        <Step name="Have an API key" isDone={key !== undefined}>
          {key && (
            <>
              <code>{key.key_prefix}…</code> {key.name}.{" "}
            </>
          )}
          <Permitted operation="POST /v1/api-keys" act="add keys">
            <Link to="/keys">Add a key</Link> for each program, so that you can delete each key
            separately.
          </Permitted>
        </Step>
        <SendStep verified={verified} />
        <Step name="Get events" isDone={webhook !== undefined}>
          {webhook === undefined ? (
            <Permitted operation="POST /v1/webhooks" act="add webhooks">
              <Link to="/webhooks">Add a webhook</Link>. Your program then gets an event for each
              delivery and each bounce.
            </Permitted>
          ) : (
            <code>{webhook.url}</code>
          )}
        </Step>
      </ol>
    </Panel>
  );
}

interface DomainStepProps {
  readonly verified: Domain | undefined;
  readonly first: Domain | undefined;
}

function DomainStep({ verified, first }: DomainStepProps) {
  return (
    <Step name="Verify your domain" isDone={verified !== undefined}>
      {verified && <code>{verified.name}</code>}
      {!verified && first && (
        <>
          <code>{first.name}</code> is not verified: publish its DNS records.{" "}
          <Link to="/domains" search={{ open: first.id }}>
            Show DNS records
          </Link>
        </>
      )}
      {!verified && !first && (
        <Permitted operation="POST /v1/domains" act="add domains">
          <Link to="/domains">Add the domain</Link> that you send from:
          <CopyableBlock text={domainCommand(window.location.origin)} />
        </Permitted>
      )}
    </Step>
  );
}

function SendStep({ verified }: Pick<DomainStepProps, "verified">) {
  const simulator = verified ? simulatorOf([verified]) : null;
  const to = simulator === null ? "you@example.com" : `delivered@${simulator}`;
  return (
    <Step name="Send a message" isDone={false}>
      {verified ? (
        <>
          {simulator === null
            ? "To your own address"
            : "To the simulator, which accepts mail without delivering it"}
          . It appears here automatically:
          <CopyableBlock text={sendCommand(window.location.origin, verified.name, to)} />
        </>
      ) : (
        "As soon as a domain is verified."
      )}
    </Step>
  );
}

interface StepProps {
  readonly name: string;
  readonly isDone: boolean;
  readonly children: ReactNode;
}

function Step({ name, isDone, children }: StepProps) {
  return (
    <li>
      <Pill tone={isDone ? "ok" : "mute"}>{isDone ? "Done" : "To do"}</Pill>
      <div>
        <b>{name}</b>
        <div>{children}</div>
      </div>
    </li>
  );
}
