// Structured logs: one JSON line an entry, on the console that Workers Logs collects. Callers pass ids, never a secret, a body or a full address.

type Fields = Record<string, string | number | boolean | null | undefined>;

export function logError(event: string, error: unknown, fields: Fields = {}): void {
  const detail = error instanceof Error ? { error: error.message, stack: error.stack } : { error: String(error) };
  console.error(JSON.stringify({ level: "error", event, ...fields, ...detail }));
}

export function logWarning(event: string, fields: Fields = {}): void {
  console.warn(JSON.stringify({ level: "warning", event, ...fields }));
}
