// Describes a Cloudflare zone as the front sees it: its custom hostnames, its fallback origin, its
// routes to workers and its Configuration Rules. The doubles' API changes it. Pure.

export interface ConfigRule {
  readonly description?: string;
  readonly expression: string;
  readonly action: string;
  readonly action_parameters?: Readonly<Record<string, unknown>>;
  readonly enabled?: boolean;
}

export interface FrontHostname {
  readonly id: string;
  readonly hostname: string;
  readonly ssl: {
    readonly status: string;
    readonly validation_errors?: readonly { readonly message: string }[];
  };
}

/** If `script` is absent, requests go to the origin and not to a worker. */
export interface WorkerRoute {
  readonly id: string;
  readonly pattern: string;
  readonly script?: string;
}

export interface FrontZone {
  /** The custom hostnames of the zone (Cloudflare for SaaS), each with its certificate. */
  custom_hostnames: FrontHostname[];
  /**
   * Hosts whose certificate stays pending or is refused. All other hosts get a certificate at the
   * second request.
   */
  certificates: Record<string, "pending" | "refused">;
  /** The number of custom hostnames that a plan without payment has. */
  hostname_quota: number;
  fallback_origin: string | null;
  worker_routes: WorkerRoute[];
  /** The Configuration Rules of the zone. Null: the zone has no ruleset of that phase. */
  config_rules: ConfigRule[] | null;
}

const FREE_HOSTNAMES = 100;

export function emptyFrontZone(): FrontZone {
  return {
    custom_hostnames: [],
    certificates: {},
    hostname_quota: FREE_HOSTNAMES,
    fallback_origin: null,
    worker_routes: [],
    config_rules: null,
  };
}

/** Tells whether a Configuration Rule switches Browser Integrity Check off for the host. */
export function admitsPrograms(
  { config_rules: rules }: Pick<FrontZone, "config_rules">,
  host: string,
): boolean {
  return (rules ?? []).some(
    ({ enabled = true, action, action_parameters: parameters, expression }) =>
      enabled &&
      action === "set_config" &&
      parameters?.["bic"] === false &&
      expression.includes(`"${host}"`),
  );
}
