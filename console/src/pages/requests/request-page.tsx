// The page of one request. The request's id is in the URL.
import { getRouteApi, Link } from "@tanstack/react-router";
import { PageHead } from "../../parts/page-head.tsx";
import { RequestDetails } from "./request-details.tsx";

const route = getRouteApi("/frame/requests/$requestId");

export function RequestPage() {
  const { requestId } = route.useParams();
  return (
    <>
      <PageHead title="Request">
        <span className="muted">
          <Link to="/requests">Requests</Link> › <code>{requestId}</code>
        </span>
      </PageHead>
      <RequestDetails id={requestId} />
    </>
  );
}
