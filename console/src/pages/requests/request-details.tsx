// Reads a request by its id and shows it. If it is missing, explains why the log may not have it.
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api-client.ts";
import { AsRequest } from "../../parts/as-request.tsx";
import { QueryResult, isMissing } from "../../parts/query-result.tsx";
import { RequestFacts } from "./request-facts.tsx";

export function RequestDetails({ id }: { readonly id: string }) {
  const query = useQuery({ queryKey: ["request", id], queryFn: () => api.requests.get(id) });
  return (
    <>
      <section className="panel padded" aria-label="Request">
        {isMissing(query) ? (
          <>
            <h2>Request not found</h2>
            <p>
              Check the ID for typos. The log has your team’s failed requests of the last three
              days, but only the newest eight of each kind. A request appears some seconds after its
              answer.
            </p>
          </>
        ) : (
          <QueryResult query={query}>{(logged) => <RequestFacts logged={logged} />}</QueryResult>
        )}
      </section>
      <AsRequest path={`/v1/requests/${id}`} />
    </>
  );
}
