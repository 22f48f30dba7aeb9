// Chooses the courier for a team's mail: the team's own choice or, without it, the deployment's
// choice (docs/couriers.md). One `Couriers` object serves all teams of an invocation, because
// Workers limits the open connections of an invocation.
import type { CourierName, Settings } from "../../../settings.ts";
import type { Env } from "../../../env.ts";
import { logWarning } from "../../../lib/log.ts";
import { courierFor } from "../../../resources/team-settings/courier-choice.ts";
import { cloudflareCourier } from "./cloudflare-courier.ts";
import type { Courier } from "../courier.ts";
import { egressHostOf } from "./egress-hosts.ts";
import { type HeldNames, heldNamesOf } from "./held-names.ts";
import { gatewayCourier, STAY_SECONDS } from "./gateway-courier.ts";
import { verifiedDestinations } from "../email-service/verified-destinations.ts";
import { simulatorCourier, type TakeReaderMail } from "../simulator/simulator-courier.ts";
import { smtpCourier } from "./smtp-courier.ts";
import { Semaphore } from "../semaphore.ts";

export interface Carrier {
  readonly courier: Courier;
  /**
   * The URL of the gateway. A gateway remembers copies by their keys and reports their outcomes
   * when it is asked. Null for a courier that remembers nothing. Leases of such a courier's jobs
   * must not expire while it works.
   */
  readonly host: string | null;
  /** Present if the courier's provider may put domains or the account on hold. */
  readonly held?: HeldNames;
}

/**
 * Maximum number of large messages in memory at one time. Each takes about 15 MB together with the
 * copy that is composed from it, and 30 MB at worst. An isolate has 128 MB.
 */
const LARGE_AT_ONCE = 2;

export class Couriers {
  readonly #env: Env;
  readonly #settings: Settings;
  readonly #staySeconds: number;
  /** The couriers that were made so far, by name. For gateways, the key is their URL. */
  readonly #made = new Map<string, Carrier>();
  readonly simulator: Carrier;
  /**
   * Limits the number of messages whose content is loaded at one time. Content that the claim
   * returned does not count.
   */
  readonly large = new Semaphore(LARGE_AT_ONCE);

  /**
   * Makes the couriers. `staySeconds` is the time for which a gateway's courier waits for outcomes
   * after it sent the last copy. `takeReaderMail` receives the replies of simulated readers.
   * Without it, these readers do not reply.
   */
  constructor(
    env: Env,
    settings: Settings,
    staySeconds = STAY_SECONDS,
    takeReaderMail: TakeReaderMail | null = null,
  ) {
    this.#env = env;
    this.#settings = settings;
    this.#staySeconds = staySeconds;
    this.simulator = { courier: simulatorCourier(settings, takeReaderMail), host: null };
  }

  /**
   * Returns whether the team's courier remembers keys. Ignores the simulator, because it sends
   * nothing.
   */
  remembers(choice: CourierName | null): boolean {
    return courierFor(choice, this.#settings) === "gateway";
  }

  /**
   * Returns the courier for one attempt. `choice` is the team's choice of courier. `key` is the
   * attempt's key, which selects the gateway, because only the gateway that made an attempt
   * remembers it. A courier that is not set up carries nothing, so its mail waits.
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
              courier: cloudflareCourier(this.#env.EMAIL, retrySpeedup, () =>
                verifiedDestinations(this.#settings, Date.now()),
              ),
              host: null,
              held: heldNamesOf(this.#env.EMAIL, retrySpeedup),
            }
          : null;
    }
  }
}

function idleCarrier(name: CourierName): Carrier {
  return {
    courier: async () => {
      logWarning("courier_not_set_up", { courier: name });
      return "down";
    },
    host: null,
  };
}
