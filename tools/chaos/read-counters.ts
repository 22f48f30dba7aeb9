// Reads a team's counters by provider from GET /v1/stats and GET /v1/deliverability. Reads which
// events GET /v1/events finds for each provider.
import { readEvents, readJson, type ReadApi } from "./recorded-facts.ts";

/**
 * Numbers by provider and kind, such as `google delivered` or `none bounced SpamBlock`. Zeros are
 * left out.
 */
export type Counters = ReadonlyMap<string, number>;

export type BothCounters = Awaited<ReturnType<typeof readCounters>>;

/** The growth of the counters during a round. */
export interface CountedFacts extends BothCounters {
  /** The providers of the round's events, by event id. Events without a provider are left out. */
  readonly providers: ReadonlyMap<string, string>;
}

type Numbers = Readonly<Record<string, number>>;

interface Stats {
  readonly data: readonly {
    readonly provider: string | null;
    readonly counts: Numbers;
    readonly bounced: Numbers;
  }[];
}

interface Deliverability {
  readonly providers: readonly {
    readonly provider: string | null;
    readonly current: Numbers & { readonly bounces: Numbers };
  }[];
}

/** The providers of the mail servers in a campaign (plan-servers.ts). */
const PROVIDERS = ["other", "google", "microsoft"] as const;
const FIGURES = ["sent", "delivered", "deferred", "bounced", "complaints"] as const;

/** Reads the counters as they are now. */
export async function readCounters(worker: ReadApi, apiKey: string) {
  const stats = await readJson<Stats>(worker, apiKey, "/v1/stats?group_by=provider");
  const { providers } = await readJson<Deliverability>(worker, apiKey, "/v1/deliverability");
  return {
    stats: countersOf(
      stats.data.flatMap(({ provider, counts, bounced }) => [
        ...named(provider, counts),
        ...named(provider, bounced, "bounced "),
      ]),
    ),
    deliverability: countersOf(
      providers.flatMap(({ provider, current: { bounces, ...figures } }) => [
        ...named(provider, Object.fromEntries(FIGURES.map((name) => [name, figures[name] ?? 0]))),
        ...named(provider, bounces, "bounced "),
      ]),
    ),
  };
}

/** Returns how much the counters grew since `before`, and the events since `begun`. */
export async function readCounted(
  worker: ReadApi,
  apiKey: string,
  begun: number,
  before: BothCounters,
): Promise<CountedFacts> {
  const providers = new Map<string, string>();
  for (const provider of PROVIDERS)
    for (const { id } of await readEvents(worker, apiKey, begun, provider))
      providers.set(id, provider);
  const { stats, deliverability } = await readCounters(worker, apiKey);
  return {
    providers,
    stats: minus(stats, before.stats),
    deliverability: minus(deliverability, before.deliverability),
  };
}

function named(provider: string | null, numbers: Numbers, kind = ""): [string, number][] {
  return Object.entries(numbers).map(([name, count]) => [
    `${provider ?? "none"} ${kind}${name}`,
    count,
  ]);
}

function countersOf(entries: readonly (readonly [name: string, count: number])[]): Counters {
  const counters = new Map<string, number>();
  for (const [name, count] of entries) counters.set(name, (counters.get(name) ?? 0) + count);
  return new Map([...counters].filter(([, count]) => count !== 0));
}

function minus(counters: Counters, before: Counters): Counters {
  return countersOf([
    ...counters,
    ...Array.from(before, ([name, count]) => [name, -count] as const),
  ]);
}
