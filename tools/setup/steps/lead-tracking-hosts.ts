// Step: customers' tracking hosts reach the worker (docs/tracking.md §Hosts), by a fallback origin
// and a route for every host. That route would also match the other proxied names of the zone. So
// set-up asks, and first gives each of these names a route without a worker. Set-up can complete
// without this step. Mail is then sent untracked.
import { AccountApi } from "../account-api.ts";
import {
  addRoute,
  EVERY_HOST,
  fallbackOriginOf,
  MOST_ROUTES,
  otherNames,
  NEEDS_CERTIFICATES,
  routesOf,
  setFallbackOrigin,
  withoutRoute,
  type ZoneRoute,
} from "../account/tracking-zone.ts";
import { askSettings } from "../ask-settings.ts";
import { originSet, trackOrigin } from "../record-sets.ts";
import { TRACKING_ROUTES } from "../setting-prompts.ts";
import type { Context, Step } from "../setup-context.ts";
import { CallProblem } from "../setup-problem.ts";
import type { StepOutcome } from "../step-outcome.ts";
import { publish } from "./publish.ts";

const OWN_ZONE =
  "needed   for tracked links of customers' hosts: a zone of its own for the service domain; until " +
  "then mail is sent untracked";

interface Look {
  readonly login: AccountApi;
  /** The API with the worker's own token. */
  readonly own: AccountApi;
  readonly hasOrigin: boolean;
  readonly hasRoute: boolean;
  /** Routes that other names of the zone need. They must exist before the route for every host. */
  readonly missing: readonly ZoneRoute[];
}

export const trackingHosts: Step = {
  name: "tracking hosts",
  applies: ({ settings, customDomain }) =>
    settings["TRACKING_HOSTS"] !== "direct" && customDomain !== null,
  plan: ({ settings }) => [
    `make the fallback origin ${trackOrigin(settings)} and a route ${EVERY_HOST}`,
  ],
  run: lead,
};

/** Returns the outcome if the zone can't be read. Set-up then changes nothing in the zone. */
function unread({ message, mend }: CallProblem): StepOutcome {
  const notes = [
    `needed   for tracked links: ${mend}`,
    `  The worker needs ${NEEDS_CERTIFICATES} too. Until then mail is sent untracked.`,
  ];
  return { kind: "skipped", detail: message, notes };
}

async function lead(context: Context): Promise<StepOutcome> {
  const { zone, dryRun, settings } = context;
  const look = await lookAt(context).catch((error: unknown) => {
    if (!(error instanceof CallProblem) || dryRun) throw error;
    return unread(error);
  });
  if ("kind" in look) return look;
  const { hasOrigin, hasRoute, missing } = look;
  const set = originSet(settings);
  const published = await publish(context, zone, set);
  const notes = missing.map(
    ({ pattern, script }) =>
      `${(dryRun ? "would" : "done").padEnd(8)} route ${pattern} to ${script ?? "no worker"}`,
  );
  const isThere = published === "already" && hasOrigin && hasRoute && missing.length === 0;
  const detail = `fallback origin ${set.name}, route ${EVERY_HOST} to ${context.config.worker}`;
  if (isThere) return { kind: "already", detail };
  if (dryRun) return { kind: "would", detail: `make what is missing: ${detail}`, notes };
  await make(context, look, set.name);
  return { kind: "done", detail, notes };
}

/** Reads the zone before any change. Returns an outcome if set-up must not change the zone. */
async function lookAt(context: Context): Promise<Look | StepOutcome> {
  const { wrangler, environment, zone, dns, settings, customDomain, consoleDomain, config } =
    context;
  const login = await AccountApi.open(wrangler, environment);
  const own = login.withToken(settings["DNS_API_TOKEN"] ?? "");
  const origin = await fallbackOriginOf(own, zone.id);
  const routes = await routesOf(login, zone.id);
  const target = trackOrigin(settings);
  if (origin !== null && origin.origin !== target)
    return notHere(`the zone's fallback origin is ${origin.origin}, of another service`);
  const every = routes.find(({ pattern }) => pattern === EVERY_HOST);
  if (every !== undefined && every.script !== config.worker)
    return notHere(`the route ${EVERY_HOST} leads to ${every.script ?? "no worker"}`);
  const hosts = [customDomain, consoleDomain].filter((host) => host !== null);
  const names = otherNames(await dns.proxied(zone), hosts, target);
  const others = withoutRoute(names, routes);
  if (routes.length + others.length + 1 >= MOST_ROUTES)
    return notHere(
      `${others.length} names of the zone are proxied, and the zone may have ${MOST_ROUTES} routes`,
    );
  if (others.length > 0 && !(await mayRoute(context, others)))
    return notHere(`a route ${EVERY_HOST} would take ${others.join(", ")} too`, [
      "  or TRACKING_ROUTES=yes npm run setup, which gives each of these a route without a worker",
    ]);
  const missing: ZoneRoute[] = others.map((name) => ({ pattern: `${name}/*`, script: null }));
  const hasWildcard = others.some((name) => name.startsWith("*."));
  // A wildcard route without a worker would also match the service's own hosts, so these get routes
  // of their own.
  if (hasWildcard)
    for (const host of withoutRoute(hosts, routes))
      missing.unshift({ pattern: `${host}/*`, script: config.worker });
  return { login, own, hasOrigin: origin !== null, hasRoute: every !== undefined, missing };
}

/** Asks about the other names. A dry run shows the routes that it would make. */
async function mayRoute(context: Context, others: readonly string[]): Promise<boolean> {
  const { kept, file, dryRun } = context;
  const question = {
    ...TRACKING_ROUTES,
    text:
      `The route ${EVERY_HOST} for tracking hosts would take these proxied names of the zone too: ` +
      `${others.join(", ")}. Give each a route without a worker, so that they stay as they are? yes or no`,
  };
  const answered = await askSettings(context, [question], context.settings);
  const isAllowed = answered[TRACKING_ROUTES.name] === "yes";
  if (isAllowed && !dryRun) {
    kept.settings[TRACKING_ROUTES.name] = "yes";
    file.save();
  }
  return isAllowed;
}

/** Makes the routes. The route for every host needs all other routes, so it comes last. */
async function make(
  { made, zone, config }: Context,
  { login, own, hasOrigin, hasRoute, missing }: Look,
  origin: string,
): Promise<void> {
  if (!hasOrigin) {
    await setFallbackOrigin(own, zone.id, origin);
    made.push(`fallback origin ${origin}`);
  }
  const every = hasRoute ? [] : [{ pattern: EVERY_HOST, script: config.worker }];
  for (const route of [...missing, ...every]) {
    await addRoute(login, zone.id, route);
    made.push(`route ${route.pattern} to ${route.script ?? "no worker"}`);
  }
}

function notHere(detail: string, notes: readonly string[] = []): StepOutcome {
  return { kind: "skipped", detail, notes: [OWN_ZONE, ...notes] };
}
