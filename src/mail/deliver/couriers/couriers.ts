// Chooses the courier of a team's mail: the team's own choice, else the deployment's
// (docs/couriers.md). One `Couriers` serves all teams of an invocation, because Workers limits the
// open connections of an invocation.
import type { CourierName, Settings } from "../../../settings.ts";
import type { Env } from "../../../env.ts";
import { logWarning } from "../../../lib/log.ts";
import { courierFor } from "../../../resources/team-settings/courier-choice.ts";
import { cloudflareCourier, pausedUntil } from "./cloudflare-courier.ts";
import type { Courier } from "../courier.ts";
import { egressHostOf } from "./egress-hosts.ts";
import { gatewayCourier, STAY_SECONDS } from "./gateway-courier.ts";
import { simulatorCourier } from "../simulator/simulator-courier.ts";
import { smtpCourier } from "./smtp-courier.ts";
import { Semaphore } from "../semaphore.ts";

export interface Carrier {
  readonly courier: Courier;
  /**
   * The URL of the gateway, which remembers copies by their keys and can be asked for their
   * outcomes. Null: the courier remembers nothing, so leases must not run out while it works.
   */
  readonly host: string | null;
  /** Returns when the courier's pause ends, Unix milliseconds; 0: it does not pause. */
  readonly pausedUntil?: () => number;
}

/**
 * Maximum of large messages in memory at one time. Each takes about 15 MB with the copy being
 * composed, 30 MB at worst, and an isolate has 128 MB.
 */
const LARGE_AT_ONCE = 2;

export class Couriers {
  readonly #env: Env;
  readonly #settings: Settings;
  readonly #staySeconds: number;
  /** Couriers made so far, by name; a gateway's by its URL. */
  readonly #made = new Map<string, Carrier>();
  readonly simulator: Carrier;
  /** Limits how many messages at one time load content that the claim did not return. */
  readonly large = new Semaphore(LARGE_AT_ONCE);

  /** `staySeconds`: how long a gateway's courier waits for outcomes after the last copy. */
  constructor(env: Env, settings: Settings, staySeconds = STAY_SECONDS) {
    this.#env = env;
    this.#settings = settings;
    this.#staySeconds = staySeconds;
    this.simulator = { courier: simulatorCourier(settings), host: null };
  }

  /** True if the team's courier deduplicates. The simulator does not count: it sends nothing. */
  remembers(choice: CourierName | null): boolean {
    return courierFor(choice, this.#settings) === "gateway";
  }

  /**
   * The courier for one attempt. `choice`: the team's choice. `key`: the attempt's key. It selects
   * the gateway, because only the gateway that made an attempt remembers the attempt. A courier
   * that is not set up carries nothing, so its mail waits.
   */
  of(choice: CourierName | null, key: string): Carrier {
    const name = courierFor(choice, this.#settings);
    const { egressUrls } = this.#settings;
    const place =
      name === "gateway" && egressUrls.length > 0 ? egressHostOf(key, egressUrls) : name;
    const carrier = this.#made.get(place) ?? this.#make(name, place) ?? idleCarrier(name);
    this.#made.set(place, carrier);
    return carrier;
  }

  #make(name: CourierName, place: string): Carrier | null {
    const { egressUrls, gatewayToken, relay, serviceDomain, retrySpeedup } = this.#settings;
    switch (name) {
      case "gateway":
        return egressUrls.length === 0
          ? null
          : { courier: gatewayCourier(place, gatewayToken, this.#staySeconds), host: place };
      case "smtp":
        return relay && { courier: smtpCourier(relay, serviceDomain), host: null };
      case "cloudflare":
        return this.#env.EMAIL
          ? {
              courier: cloudflareCourier(this.#env.EMAIL, retrySpeedup),
              host: null,
              pausedUntil,
            }
          : null;
    }
  }
}

function idleCarrier(name: CourierName): Carrier {
  return {
    courier: () => Promise.resolve(logWarning("courier_not_set_up", { courier: name })),
    host: null,
  };
}
