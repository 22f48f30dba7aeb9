// The filters of the page "Audit". The URL stores them.

export interface AuditSearch {
  /** The id of the open row of the list. */
  readonly open?: string;
  /** Only entries of this operation. */
  readonly operation?: string;
  /** Only entries of this key or person. */
  readonly actor?: string;
  /** Only entries about this id or address. */
  readonly target?: string;
}

export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const texts = (["open", "operation", "actor", "target"] as const).flatMap((name) => {
    const value = search[name];
    return typeof value === "string" && value !== "" ? [[name, value] as const] : [];
  });
  return Object.fromEntries(texts);
}
