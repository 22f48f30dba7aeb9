// The endpoints that clients rely on, written by hand: each with the statuses that it may answer
// (contract.md §Statuses). Any authenticated request may also get a 401, 402 or 429.
type Row = readonly [method: "GET" | "POST" | "PATCH" | "DELETE", path: string, statuses: number[]];

const ANY = [401, 402, 403, 429];

const at = (method: Row[0], path: string, ...statuses: number[]): Row => [
  method,
  `/v1${path}`,
  [...statuses, ...ANY],
];

export const PROMISED: readonly Row[] = [
  at("GET", "/api-keys", 200),
  at("POST", "/api-keys", 201, 413, 422),
  at("GET", "/api-keys/:id", 200, 404),
  at("PATCH", "/api-keys/:id", 200, 404, 413, 422),
  at("DELETE", "/api-keys/:id", 204, 404),

  at("GET", "/recipients", 200, 422),
  at("GET", "/recipients/:address", 200, 422),

  at("GET", "/templates", 200),
  at("POST", "/templates", 201, 413, 422),
  at("POST", "/templates/preview", 200, 413, 422),
  at("GET", "/templates/:id", 200, 404),
  at("PATCH", "/templates/:id", 200, 404, 422),
  at("DELETE", "/templates/:id", 204, 404),
  at("POST", "/templates/:id/duplicate", 201, 404, 422),
  at("GET", "/templates/:id/draft", 200, 404),
  at("PATCH", "/templates/:id/draft", 200, 404, 413, 422),
  at("DELETE", "/templates/:id/draft", 204, 404),
  at("POST", "/templates/:id/publish", 200, 404, 422),

  at("GET", "/domains", 200),
  at("POST", "/domains", 201, 413, 422, 503),
  at("GET", "/domains/:id", 200, 404),
  at("PATCH", "/domains/:id", 200, 404, 413, 422),
  at("DELETE", "/domains/:id", 204, 404),
  at("POST", "/domains/:id/verify", 200, 404),

  at("GET", "/suppressions", 200),
  at("POST", "/suppressions", 201, 422),
  at("GET", "/suppressions/count", 200, 422),
  at("GET", "/suppressions/:email", 200, 404),
  at("DELETE", "/suppressions/:email", 204, 404),
  at("GET", "/suppressions/:email/:topic", 200, 404),
  at("DELETE", "/suppressions/:email/:topic", 204, 404),

  at("POST", "/email", 202, 400, 409, 413, 422, 502),
  at("POST", "/email/batch", 202, 207, 400, 409, 413, 422, 502),

  at("GET", "/email/:id/content", 200, 404, 502),
  at("POST", "/email/:id/send-again", 202, 404, 409, 413, 422, 502),
  at("GET", "/email/:id/content/attachments/:index", 200, 404, 502),

  at("GET", "/whoami", 200),
  at("GET", "/team", 200),
  at("PATCH", "/team", 200, 413, 422),
  at("GET", "/usage", 200),
  at("GET", "/deliverability", 200, 422),

  at("GET", "/requests", 200, 422),
  at("GET", "/requests/:id", 200, 404),

  at("GET", "/webhooks", 200),
  at("POST", "/webhooks", 201, 413, 422),
  at("GET", "/webhooks/:id", 200, 404),
  at("PATCH", "/webhooks/:id", 200, 404, 413, 422),
  at("DELETE", "/webhooks/:id", 204, 404),
  at("POST", "/webhooks/:id/test", 200, 404),
  at("POST", "/webhooks/:id/rotate-secret", 200, 404, 409),
  at("GET", "/webhooks/:id/replays", 200, 404),
  at("GET", "/webhooks/:id/batches/:batch_id", 200, 404),

  at("GET", "/events", 200, 400),
];
