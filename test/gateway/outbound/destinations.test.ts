// Tests destinations (docs/egress-protocol.md §Destinations): which mail servers form one, how many
// connections it gets, and how destinations and teams share the connections.
import { describe, expect, it } from "vitest";
import type { ServerState } from "../../../smtp-gateway/src/destinations/concurrency.ts";
import {
  type Claimant,
  ConnectionShares,
} from "../../../smtp-gateway/src/destinations/connection-shares.ts";
import { destinationGauges } from "../../../smtp-gateway/src/destinations/destination-gauges.ts";
import { destinationOf } from "../../../smtp-gateway/src/destinations/destination-name.ts";
import { PROVIDER_LIMITS } from "../../../smtp-gateway/src/destinations/provider-limits.ts";
import { limitIn } from "../../../smtp-gateway/src/destinations/server-limit.ts";
import { WaitingLanes } from "../../../smtp-gateway/src/destinations/waiting-lanes.ts";
import type { MailPriority } from "../../../smtp-gateway/src/outcome.ts";
import { LookupShares } from "../../../smtp-gateway/src/outbound/lookup-shares.ts";
import { mailServerAt } from "./direct-delivery.ts";
import { PROVIDER_RULES } from "../../../src/resources/providers/provider-rules.ts";

describe("a mail server's destination", () => {
  it.each<[string, string, readonly string[]]>([
    ["google", "ASPMX.L.google.com", ["142.250.1.26"]],
    ["google", "alt1.gmail-smtp-in.l.google.com", ["142.250.2.26"]],
    ["microsoft-365", "example-com.mail.protection.outlook.com", ["52.101.1.1"]],
    ["198.51.100.0/24", "mx.google.com.example", ["198.51.100.7"]],
    ["198.51.100.0/24", "mx.one.example", ["203.0.113.1", "198.51.100.200"]],
    ["198.51.100.0/24", "mx.one.example", ["198.51.100.200", "203.0.113.1"]],
    ["2001:db8:1::/48", "mx.six.example", ["2001:db8:1:2::25"]],
    ["2001:db8:0::/48", "mx.six.example", ["2001:db8::25"]],
  ])("is %s for %s at %j", (name, host, addresses) => {
    expect(destinationOf(mailServerAt(25, { host, addresses })).name).toBe(name);
  });

  it("is the server itself if an operator's route leads there", () => {
    const route = mailServerAt(587, { host: "relay.example", mayBeOurs: true });
    expect(destinationOf(route)).toEqual({ name: "relay.example:587", limits: null });
  });

  it("has the limits of the provider that the worker recognises by the same servers", () => {
    const known = PROVIDER_RULES.flatMap(({ mx }): readonly string[] => mx);
    for (const { mx } of PROVIDER_LIMITS)
      for (const name of mx)
        expect(known.some((one) => name === one || name.endsWith(`.${one}`))).toBe(true);
  });
});

describe("a reply", () => {
  it.each<[string | null, number, string | null, string]>([
    ["connections", 421, "4.7.0", "too many connections from your IP"],
    ["connections", 421, null, "Too many concurrent SMTP connections; please try again later."],
    ["connections", 421, "4.3.2", "The maximum number of concurrent connections is reached"],
    ["connections", 452, "4.3.2", "Connection rate limit exceeded"],
    ["rate", 421, "4.7.28", "Our system has detected an unusual rate of unsolicited mail"],
    ["rate", 421, "4.7.0", "[TSS04] Messages from 198.51.100.1 temporarily deferred"],
    ["rate", 451, "4.7.650", "The mail server has been temporarily rate limited"],
    ["rate", 450, "4.7.1", "You are sending too many messages, throttling"],
    [null, 451, "4.7.1", "Greylisted, please come back later"],
    [null, 452, "4.2.2", "The mailbox has exceeded its limit"],
    [null, 450, "4.2.1", "The user receives mail at a rate that prevents further messages"],
    [null, 452, "4.5.3", "Too many recipients"],
    [null, 550, "5.7.1", "Too many connections"],
    [null, 421, "4.3.2", "Service shutting down"],
  ])("announces %s by %i %s %s", (limit, code, enhanced, text) => {
    const reply = { kind: "reply", stage: "mail", mx_host: null, tls: null } as const;
    expect(limitIn({ ...reply, code, enhanced, text })).toBe(limit);
  });
});

describe("a gateway's connections", () => {
  class Wanting implements Claimant {
    held = 0;
    serverState: ServerState;
    readonly #shares: ConnectionShares;
    constructor(shares: ConnectionShares, serverState: ServerState) {
      this.#shares = shares;
      this.serverState = serverState;
    }
    grow = (): void => {
      while (this.#shares.tryTake(this)) this.held += 1;
    };
    end(): void {
      this.held -= 1;
      this.#shares.release(this);
    }
  }
  const grown = (shares: ConnectionShares, serverStates: readonly ServerState[]): Wanting[] =>
    serverStates.map((serverState) => {
      const one = new Wanting(shares, serverState);
      one.grow();
      return one;
    });

  it("are never all taken, however many each destination wants", () => {
    const held = grown(new ConnectionShares(500), Array(4).fill("answers"));
    expect(held.map((one) => one.held)).toEqual([250, 125, 63, 31]);
  });

  it("include a quarter for destinations that answer, even while thousands hang", () => {
    const shares = new ConnectionShares(500);
    const hanging = Array.from({ length: 10_000 }, () => {
      const one = new Wanting(shares, "untried");
      if (shares.tryTake(one)) one.held += 1;
      return one;
    });
    expect(hanging.filter(({ held }) => held > 0)).toHaveLength(375);
    const [good] = grown(shares, ["answers"]);
    expect(good!.held).toBe(63);
    // All destinations that fail may together hold half of the connections.
    for (const one of hanging) one.serverState = "fails";
    const [, untried] = grown(shares, ["fails", "untried"]);
    expect(untried!.held).toBe(0);
    for (const one of hanging.slice(0, 10)) one.end();
    expect(shares.taken).toBe(438);
  });

  it("go to a destination that waits for one when another destination ends one", () => {
    const shares = new ConnectionShares(2);
    const [first, second, third] = grown(shares, ["answers", "answers", "answers"]);
    expect([first!.held, second!.held, third!.held]).toEqual([1, 1, 0]);
    second!.end();
    expect([first!.held, second!.held, third!.held]).toEqual([1, 1, 0]);
    second!.end();
    expect([first!.held, second!.held, third!.held]).toEqual([1, 0, 1]);
  });
});

describe("the messages that wait for a connection", () => {
  const turnOf = (team: string, priority: MailPriority = "normal", since = 0) => {
    return { team, priority, since };
  };
  const any = (): boolean => true;

  it("get a connection in turn by team; the team with the fewest messages under way is first", () => {
    const lanes = new WaitingLanes<string>();
    const busy = new Map<string, number>();
    for (const lane of ["a1", "a2", "a3"]) lanes.add(turnOf("a"), lane);
    for (const lane of ["b1", "b1"]) lanes.add(turnOf("b"), lane);
    const next = (): string | undefined => {
      const found = lanes.next(any, (team) => busy.get(team) ?? 0);
      if (!found) return undefined;
      lanes.passTurn(found);
      lanes.remove({ ...found, since: 0 }, found.lane);
      return found.lane;
    };
    expect([next(), next(), next()]).toEqual(["a1", "b1", "a2"]);
    busy.set("b", 1);
    expect([next(), next(), next()]).toEqual(["a3", "b1", undefined]);
  });

  it("get a connection by their first arrival within a team and priority, even after they were given back", () => {
    const lanes = new WaitingLanes<string>();
    lanes.add(turnOf("a", "normal", 20), "young");
    lanes.add(turnOf("a", "normal", 30), "returned");
    lanes.add(turnOf("a", "normal", 10), "returned");
    const next = () => lanes.next(any, () => 0)?.lane;
    expect(next()).toBe("returned");
    lanes.remove(turnOf("a", "normal", 10), "returned");
    expect(next()).toBe("young");
    lanes.remove(turnOf("a", "normal", 20), "young");
    expect(next()).toBe("returned");
  });

  it("of a team get a connection by priority: high comes first, but every tenth message is a normal one", () => {
    const lanes = new WaitingLanes<string>();
    const fill = (priority: MailPriority, times: number): void => {
      for (let time = 0; time < times; time += 1) lanes.add(turnOf("a", priority), priority);
    };
    fill("normal", 100);
    fill("high", 36);
    const order = Array.from({ length: 42 }, () => {
      const { priority } = lanes.next(any, () => 0)!;
      lanes.remove(turnOf("a", priority), priority);
      lanes.begin(turnOf("a", priority));
      return priority;
    });
    const ten = [...Array<MailPriority>(9).fill("high"), "normal"];
    expect(order).toEqual([...ten, ...ten, ...ten, ...ten, "normal", "normal"]);
    // High priority keeps the turn of normal mail if no normal message waits.
    const alone = new WaitingLanes<string>();
    for (let time = 0; time < 20; time += 1) alone.begin(turnOf("a", "high"));
    expect(alone.preferred("a")).toBe("high");
  });

  it("take over a connection that carries mail of lower priority of the same team", () => {
    const lanes = new WaitingLanes<string>();
    lanes.add(turnOf("a"), "normal");
    lanes.add(turnOf("b", "high"), "high");
    const isHigh = (lane: string): boolean => lane === "high";
    expect(lanes.yields(turnOf("a"), isHigh)).toBe(false);
    lanes.add(turnOf("a", "high"), "high");
    expect(lanes.yields(turnOf("a"), isHigh)).toBe(true);
    expect(lanes.yields(turnOf("a"), () => false)).toBe(false);
    expect(lanes.yields(turnOf("a", "high"), any)).toBe(false);
    // Nine messages of high priority have begun, so the tenth is a normal one. One connection ends
    // to make room for it.
    for (let time = 0; time < 9; time += 1) lanes.begin(turnOf("a", "high"));
    const isNormal = (lane: string): boolean => lane === "normal";
    const yields = (): boolean => lanes.yields(turnOf("a", "high"), isNormal);
    expect([yields(), yields()]).toEqual([true, false]);
  });
});

describe("the look-ups of mail servers", () => {
  it("leave room for other teams, however many domains a team's list has", async () => {
    const shares = new LookupShares(8);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const ask = (holder: string): Promise<void> =>
      shares.run(holder, () => {
        begun.push(holder);
        return new Promise((resolve) => ends.push(resolve));
      });
    const asked = Array.from({ length: 20 }, () => ask("list"));
    expect(begun).toEqual(Array(4).fill("list"));
    asked.push(ask("single"));
    expect(begun.at(-1)).toBe("single");
    asked.push(ask("other"), ask("other"), ask("other"));
    expect(begun.length).toBe(7);
    // Only a few look-ups run at once. Each look-up that ends lets the next one start.
    for (let end = ends.shift(); end; end = ends.shift()) {
      end();
      await new Promise(setImmediate);
    }
    await Promise.all(asked);
    expect(begun.filter((holder) => holder === "list")).toHaveLength(20);
    expect(begun.filter((holder) => holder === "other")).toHaveLength(3);
  });
});

describe("the gauges of destinations", () => {
  it("name the twenty destinations with most use, and add up the others", () => {
    const numbers = { waiting: 0, refused: 1, concurrency: 5, why: "answers" as const };
    const states = Array.from({ length: 30 }, (_, at) => {
      return { name: `198.51.${at}.0/24`, pool: "default", open: at, ...numbers };
    });
    const gauges = destinationGauges(states);
    const open = gauges.postern_gateway_destination_connections as [string[], number][];
    expect(open).toHaveLength(21);
    expect(open[0]).toEqual([["198.51.29.0/24", "default"], 29]);
    expect(open.at(-1)).toEqual([["other", "other"], 45]);
    expect(gauges.postern_gateway_destination_concurrency).toHaveLength(20);
  });
});
