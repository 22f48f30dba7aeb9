// Changes a domain's tracking (contract.md §Tracking domains). nextTracking() is pure: it computes
// the new settings, and decides whether the verification stays valid.
import type { Scope } from "../../db/client.ts";
import { DNS_NAME_CHARACTERS } from "../../lib/idna.ts";
import { type FieldErrors, refuse, refuseMember } from "../../refusal.ts";
import {
  getDomain,
  isTrackingHostTaken,
  type StoredDomain,
  type TrackingColumns,
  updateTracking,
} from "./store.ts";

export interface TrackingChange {
  readonly opensEnabled: boolean | undefined;
  readonly clicksEnabled: boolean | undefined;
  /** The new subdomain. Null: the change removes the subdomain. Undefined: the change keeps it. */
  readonly subdomain: string | null | undefined;
}

type Transition =
  | { readonly kind: "unchanged" }
  | { readonly kind: "changed"; readonly to: TrackingColumns }
  | { readonly kind: "refused"; readonly errors: FieldErrors };

/** Maximum number of attempts to change a domain that other requests change at the same time. */
const ATTEMPTS_PER_CHANGE = 5;

/**
 * Applies a change and returns the changed domain. `check` gets the domain's current state, and
 * throws if the change is not allowed. Throws 422 if `tracking.subdomain` is not valid.
 */
export async function changeTracking(
  scope: Scope,
  id: string,
  change: TrackingChange,
  check: (domain: StoredDomain) => void,
): Promise<StoredDomain> {
  for (let attempt = 0; attempt < ATTEMPTS_PER_CHANGE; attempt += 1) {
    const domain = await getDomain(scope, id);
    check(domain);
    const transition = nextTracking(domain, change);
    if (transition.kind === "unchanged") return domain;
    if (transition.kind === "refused") throw refuse("invalid", { errors: transition.errors });
    const { to } = transition;
    if (await updateTracking(scope, id, domain, to)) return getDomain(scope, id);
    if (to.trackingHost !== null && (await isTrackingHostTaken(scope, id, to.trackingHost))) {
      throw refuseMember(
        "tracking.subdomain",
        "makes a host that another domain of the team already uses for tracking",
      );
    }
  }
  throw new Error(
    `other requests changed the tracking of ${id} ${ATTEMPTS_PER_CHANGE} times in a row`,
  );
}

/**
 * Computes a domain's tracking after a change. Tracking is disabled if opens and clicks are both
 * off. After any other change of a value, tracking must be verified again.
 */
export function nextTracking(
  domain: TrackingColumns & { readonly name: string },
  change: TrackingChange,
): Transition {
  const opensEnabled = change.opensEnabled ?? domain.opensEnabled;
  const clicksEnabled = change.clicksEnabled ?? domain.clicksEnabled;
  const trackingSubdomain =
    change.subdomain === undefined ? domain.trackingSubdomain : change.subdomain;
  const enabled = opensEnabled || clicksEnabled;
  if (enabled && trackingSubdomain === null)
    return toRefused("is required when opens or clicks are tracked");
  if (
    trackingSubdomain !== null &&
    trackingSubdomain.length + 1 + domain.name.length > DNS_NAME_CHARACTERS
  )
    return toRefused("makes a host name that is too long");
  if (
    opensEnabled === domain.opensEnabled &&
    clicksEnabled === domain.clicksEnabled &&
    trackingSubdomain === domain.trackingSubdomain
  ) {
    return { kind: "unchanged" };
  }
  const trackingHost = enabled ? `${trackingSubdomain}.${domain.name}` : null;
  return {
    kind: "changed",
    to: {
      opensEnabled,
      clicksEnabled,
      trackingSubdomain,
      trackingHost,
      trackingStatus: enabled ? "pending" : "disabled",
    },
  };
}

function toRefused(reason: string): Transition {
  return { kind: "refused", errors: { "tracking.subdomain": [reason] } };
}
