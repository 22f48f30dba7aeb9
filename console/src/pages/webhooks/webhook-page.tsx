// The page of one webhook: its state, its deliveries of the last three days and its replays.
import { getRouteApi, Link } from "@tanstack/react-router";
import { PAGE_ROWS } from "../../api/pages.ts";
import { QueryResult, isMissing } from "../../parts/query-result.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { NoObject } from "../../parts/not-found.tsx";
import { ChangedBy } from "../../parts/changed-by.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { WebhookDeliveryList } from "./webhook-delivery-list.tsx";
import { ReplayPanel } from "./replay-panel.tsx";
import { useWebhook } from "./webhook-queries.ts";
import { WebhookSummary } from "./webhook-summary.tsx";

const route = getRouteApi("/frame/webhooks/$webhookId");

export function WebhookPage() {
  const { webhookId } = route.useParams();
  const { open = null, outcome = null } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useWebhook(webhookId);
  if (isMissing(query)) return <NoObject noun="webhook" id={webhookId} />;
  return (
    <>
      <PageHead title={query.data?.name ?? "Webhook"}>
        <Link to="/webhooks">All webhooks</Link>
      </PageHead>
      <QueryResult query={query}>
        {(webhook) => (
          <>
            <WebhookSummary
              webhook={webhook}
              onDeleted={() => void navigate({ to: "/webhooks" })}
            />
            <ChangedBy says="Last changed" target={webhookId} />
            <ReplayPanel webhook={webhook} />
            <WebhookDeliveryList
              webhook={webhook}
              open={open}
              outcome={outcome}
              onChoose={(search) => void navigate({ search })}
            />
          </>
        )}
      </QueryResult>
      <AsRequest path={`/v1/webhooks/${webhookId}/deliveries?limit=${PAGE_ROWS}`} />
    </>
  );
}
