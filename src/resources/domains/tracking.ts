// Changes a domain's tracking (contract.md §Tracking domains): the supplied keys decide the new
// settings, and whether an earlier verification is cleared. The transition itself is pure.
import type { Scope } from "../../db/client.ts";
import { type FieldErrors, refuse } from "../../refusal.ts";
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
  /** null: none any more; undefined: as it was. */
  readonly subdomain: string | null | undefined;
}

type Transition =
  | { readonly kind: "unchanged" }
  | { readonly kind: "changed"; readonly to: TrackingColumns }
  | { readonly kind: "refused"; readonly errors: FieldErrors };

const DNS_NAME_CHARACTERS = 253;
/** Attempts against other changes of the same domain at the same moment. */
const ATTEMPTS = 5;

/**
 * Applies a change and returns the domain as it is then. Refuses: 404, 422 `tracking.subdomain`.
 */
export async function changeTracking(
  scope: Scope,
  id: string,
  change: TrackingChange,
): Promise<StoredDomain> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const domain = await getDomain(scope, id);
    const transition = nextTracking(domain, change);
    if (transition.kind === "unchanged") return domain;
    if (transition.kind === "refused") throw refuse("invalid", { errors: transition.errors });
    const { to } = transition;
    if (await updateTracking(scope, id, domain, to)) return getDomain(scope, id);
    if (to.trackingHost !== null && (await isTrackingHostTaken(scope, id, to.trackingHost))) {
      throw refuse("invalid", {
        errors: {
          "tracking.subdomain": ["makes a host that another of the team's domains tracks on"],
        },
      });
    }
  }
  throw new Error(`the tracking of ${id} was changed by others ${ATTEMPTS} times in a row`);
}

/**
 * What a change makes of a domain's tracking. Both flags off: disabled; else any real change has to
 * be verified anew.
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
    return refused("is required when opens or clicks are tracked");
  if (
    trackingSubdomain !== null &&
    trackingSubdomain.length + 1 + domain.name.length > DNS_NAME_CHARACTERS
  )
    return refused("makes a host name that is too long");
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

function refused(reason: string): Transition {
  return { kind: "refused", errors: { "tracking.subdomain": [reason] } };
}
