// The actions on one webhook: test, disable or enable, edit, rotate the secret, delete. An action
// that loses data asks first.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type {
  TestWebhookResponse,
  Webhook,
} from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { Button, DangerButton, MainButton } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { Permitted } from "../../parts/permitted.tsx";
import { RotateSecret } from "./rotate-secret.tsx";
import { deleteWebhook, EditWebhook, saveWebhook } from "./webhook-form.tsx";
import { refreshList, refreshWebhooks } from "./webhook-queries.ts";
import { describeResponse } from "./webhook-health.ts";

interface WebhookActsProps {
  readonly webhook: Webhook;
  readonly onDeleted: () => void;
}

type Asked = "edit" | "rotate" | "disable" | "delete";

export function WebhookActions({ webhook, onDeleted }: WebhookActsProps) {
  const [asked, ask] = useState<Asked | null>(null);
  const test = useTest(webhook.id);
  const turn = useTurn(webhook);
  const close = (): void => ask(null);
  return (
    <div className="webhook-acts">
      <ActButtons webhook={webhook} test={test} turn={turn} ask={ask} />
      {turn.error && <ErrorNotice error={turn.error} />}
      {test.error && <ErrorNotice error={test.error} />}
      {test.data && <TestAnswer url={webhook.url} result={test.data} />}
      {asked === "edit" && <EditWebhook webhook={webhook} onClose={close} />}
      {asked === "rotate" && <RotateSecret webhook={webhook} onClose={close} />}
      {asked === "delete" && (
        <DeleteWebhook webhook={webhook} onClose={close} onDeleted={onDeleted} />
      )}
      {asked === "disable" && (
        <ConfirmDialog
          title={`Disable ${webhook.name}?`}
          action="Disable webhook"
          request={turn}
          onConfirm={() => turn.mutate("disabled", { onSettled: close })}
          onClose={close}
        >
          <p>
            Deliveries and replays stop, and new events are not queued. After you enable it again,
            you can replay the events it missed.
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}

interface ActButtonsProps {
  readonly webhook: Webhook;
  readonly test: ReturnType<typeof useTest>;
  readonly turn: ReturnType<typeof useTurn>;
  readonly ask: (what: Asked) => void;
}

function ActButtons({ webhook, test, turn, ask }: ActButtonsProps) {
  const name = { disabled: "Enable", circuit_disabled: "Resume now", active: null };
  const enable = name[webhook.status];
  return (
    <div className="buttons">
      <Permitted operation="POST /v1/webhooks/{id}/test">
        <Button disabled={test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? "Testing…" : "Send a test"}
        </Button>
      </Permitted>
      <Permitted operation="PATCH /v1/webhooks/{id}" act="change webhooks">
        {enable !== null && (
          <MainButton disabled={turn.isPending} onClick={() => turn.mutate("active")}>
            {enable}
          </MainButton>
        )}
        <Button onClick={() => ask("edit")}>Edit</Button>
      </Permitted>
      <Permitted operation="POST /v1/webhooks/{id}/rotate-secret">
        <Button onClick={() => ask("rotate")}>Rotate secret</Button>
      </Permitted>
      {webhook.status !== "disabled" && (
        <Permitted operation="PATCH /v1/webhooks/{id}">
          <Button onClick={() => ask("disable")}>Disable</Button>
        </Permitted>
      )}
      <Permitted operation="DELETE /v1/webhooks/{id}">
        <DangerButton onClick={() => ask("delete")}>Delete</DangerButton>
      </Permitted>
    </div>
  );
}

function useTest(id: string) {
  return useMutation({
    mutationFn: () => api.webhooks.test(id),
  });
}

/** Enables or disables a webhook. Enabling a webhook that the service paused ends the pause. */
function useTurn(webhook: Webhook) {
  const { name, url, events } = webhook;
  return useMutation({
    mutationFn: (status: "active" | "disabled") =>
      saveWebhook(webhook, { name, url, events, status }),
    onSuccess: refreshWebhooks,
  });
}

interface TestAnswerProps {
  readonly url: string;
  readonly result: TestWebhookResponse;
}

function TestAnswer({ url, result }: TestAnswerProps) {
  const { delivered, response_body_preview: body } = result;
  return (
    <div role="status">
      <p>
        <strong className={delivered ? "ok" : "bad"}>
          {delivered ? "The endpoint accepted the test." : "The endpoint did not accept the test."}
        </strong>
      </p>
      <pre className="said">
        <span>POST {url} webhook.test → </span>
        {describeResponse(result)}
        {body !== null && body !== "" && `\n${body}`}
      </pre>
    </div>
  );
}

interface DeleteWebhookProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

function DeleteWebhook({ webhook, onClose, onDeleted }: DeleteWebhookProps) {
  const { name, url } = webhook;
  const remove = useMutation({
    mutationFn: () => deleteWebhook(webhook),
    onError: () => void refreshWebhooks(),
    onSuccess: () => {
      onDeleted();
      void refreshList();
    },
  });
  return (
    <ConfirmDialog
      title={`Delete webhook ${name}?`}
      action="Delete webhook"
      request={remove}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        <code>{url}</code> gets no more events. Its queued events, delivery log, replays and secret
        are deleted.
      </p>
    </ConfirmDialog>
  );
}
