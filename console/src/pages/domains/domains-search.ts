// The open domain and the view of its records on the page "Domains". The URL stores them.

/** The views of a domain's records. */
export const RECORD_VIEWS = [
  ["records", "Records"],
  ["zone", "Zone file"],
  ["terraform", "Terraform"],
] as const;

export type RecordView = (typeof RECORD_VIEWS)[number][0];

export interface DomainSearch {
  /** Absent if the view is `records`, the default. */
  readonly as?: Exclude<RecordView, "records">;
}

export interface DomainsSearch extends DomainSearch {
  readonly open?: string;
}

export function domainSearch({ as }: Record<string, unknown>): DomainSearch {
  return as === "zone" || as === "terraform" ? { as } : {};
}

export function domainsSearch(given: Record<string, unknown>): DomainsSearch {
  const { open } = given;
  return { ...domainSearch(given), ...(typeof open === "string" && { open }) };
}

/** Returns the URL's search parameters for a view. */
export function viewSearch(view: RecordView): DomainSearch {
  return view === "records" ? {} : { as: view };
}
