// Describes a Cloudflare zone as the front sees it: its custom hostnames, its fallback origin, its
// routes to workers and its Configuration Rules. The API of the doubles changes it. Pure.

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

/** `script` absent: requests go past the workers to the origin. */
export interface WorkerRoute {
  readonly id: string;
  readonly pattern: string;
  readonly script?: string;
}

export interface FrontZone {
  /** The custom hostnames of the zone (Cloudflare for SaaS), each with its certificate. */
  custom_hostnames: FrontHostname[];
  /** Hosts whose certificate waits for ever, or is refused. The others get one at the second look. */
  certificates: Record<string, "pending" | "refused">;
  /** The number of custom hostnames without a paid plan. */
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
