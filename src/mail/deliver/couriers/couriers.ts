// Chooses the courier of a team's mail: the team's own, else the deployment's (docs/operating.md
// §Couriers). One set of them serves a whole invocation, since open connections are counted by the
// invocation, whatever number of teams it works for.
import type { CourierName, Env, Settings } from "../../../env.ts";
import { logWarning } from "../../../lib/log.ts";
import { courierFor } from "../../../resources/teams/courier-choice.ts";
import { cloudflareCourier } from "./cloudflare-courier.ts";
import type { Courier } from "./courier.ts";
import { egressHostOf } from "./egress-hosts.ts";
import { gatewayCourier } from "./gateway-courier.ts";
import { simulatorCourier } from "../simulator/simulator-courier.ts";
import { smtpCourier } from "./smtp-courier.ts";
import { Semaphore } from "../semaphore.ts";

export interface Carrier {
  readonly courier: Courier;
  /**
   * Asked twice for one key it sends once. For one that forgets, a lease must not run out while it
   * is at work.
   */
  readonly remembers: boolean;
}

/**
 * A large message takes some 15 MB with the copy that is being made of it, some 30 MB at its worst,
 * and an isolate has 128 MB.
 */
const LARGE_AT_ONCE = 2;

const REMEMBERS: Readonly<Record<CourierName, boolean>> = {
  gateway: true,
  smtp: false,
  cloudflare: false,
};

export class Couriers {
  readonly #env: Env;
  readonly #settings: Settings;
  /** By name; a gateway's by its URL. */
  readonly #made = new Map<string, Carrier>();
  readonly simulator: Carrier;
  /** The right to load content that is not in the ledger. */
  readonly large = new Semaphore(LARGE_AT_ONCE);

  constructor(env: Env, settings: Settings) {
    this.#env = env;
    this.#settings = settings;
    this.simulator = { courier: simulatorCourier(settings), remembers: true };
  }

  /** Whether what carries the team's mail remembers. (The simulator's mail goes nowhere.) */
  remembers(choice: CourierName | null): boolean {
    return REMEMBERS[courierFor(choice, this.#settings)];
  }

  /**
   * `choice`: the team's. `key`: the attempt's; one gateway of several remembers it. One that is
   * not set up (any more) carries nothing: its mail waits.
   */
  of(choice: CourierName | null, key: string): Carrier {
    const name = courierFor(choice, this.#settings);
    const { egressUrls } = this.#settings;
    const place =
      name === "gateway" && egressUrls.length > 0 ? egressHostOf(key, egressUrls) : name;
    const carrier = this.#made.get(place) ?? this.#make(name, place) ?? idle(name);
    this.#made.set(place, carrier);
    return carrier;
  }

  #make(name: CourierName, place: string): Carrier | null {
    const { egressUrls, gatewayToken, relay, serviceDomain } = this.#settings;
    switch (name) {
      case "gateway":
        return egressUrls.length === 0
          ? null
          : { courier: gatewayCourier(place, gatewayToken), remembers: REMEMBERS[name] };
      case "smtp":
        return relay && { courier: smtpCourier(relay, serviceDomain), remembers: REMEMBERS[name] };
      case "cloudflare":
        return this.#env.EMAIL
          ? { courier: cloudflareCourier(this.#env.EMAIL), remembers: REMEMBERS[name] }
          : null;
    }
  }
}

function idle(name: CourierName): Carrier {
  return {
    courier: () => Promise.resolve(logWarning("courier_not_set_up", { courier: name })),
    remembers: true,
  };
}
