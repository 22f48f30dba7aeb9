// Shows the API request for the data of a page, so that people learn the API.
import { CopyableBlock } from "./copy-button.tsx";

interface AsRequestProps {
  /** The name of the request, such as `gateways`, for a page that shows several requests. */
  readonly of?: string;
  readonly method?: string;
  /** Path with its query, such as `/v1/events?limit=50`. */
  readonly path: string;
  readonly body?: unknown;
}

export function AsRequest({ of, method = "GET", path, body }: AsRequestProps) {
  const variable = path.startsWith("/admin/") ? "ADMIN_TOKEN" : "POSTERN_API_KEY";
  const command = [
    `curl -sS ${method === "GET" ? "" : `-X ${method} `}'${window.location.origin}${path}'`,
    `-H "Authorization: Bearer $${variable}"`,
    ...(body === undefined
      ? []
      : [
          `-H 'Content-Type: application/json'`,
          `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
        ]),
  ].join(" ");
  return (
    <details className="as-request">
      <summary>Show API request{of === undefined ? "" : ` (${of})`}</summary>
      <CopyableBlock text={command} />
    </details>
  );
}
