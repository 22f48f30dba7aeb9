// Tests what set-up makes in the zone for customers' tracking hosts (docs/tracking.md §Hosts), and
// what it leaves alone: other names of the zone, and another service's fallback origin and route.
import { describe, expect, it } from "vitest";
import type { WorkerRoute } from "../../tools/dev/front/front-zone.ts";
import { continueFinished, expectRun, finished, harness, useSetup } from "./finished-setup.ts";
import { ZONE } from "./test-zone.ts";

useSetup();

const ORIGIN = "track.post.example.com";
const YES = { TRACKING_ROUTES: "yes" };
const step = "tracking hosts";

/** The routes of the zone, in the order in which they were made. */
const routes = () =>
  harness.account.worker_routes.map(({ pattern, script }) => `${pattern} ${script ?? "-"}`);

/** Names of the zone with the operator's own servers. */
async function withNames(...names: readonly string[]): Promise<void> {
  for (const name of names) await harness.dns.put(name, "A", "192.0.2.10", true);
}

const route = (pattern: string, script?: string): WorkerRoute => ({
  id: pattern,
  pattern,
  ...(script !== undefined && { script }),
});

describe("tracking hosts", () => {
  it("get a fallback origin and a route where the zone has no other proxied name", async () => {
    await continueFinished();
    // A tracking host in the operator's own zone keeps its way to the worker.
    const alias = "abcdefghijklmnop.track.post.example.com";
    await harness.dns.put("click.example.com", "CNAME", alias, true);
    expect((await harness.run()).steps[step]).toBe("already");
    expect(finished.account.fallback_origin).toBe(ORIGIN);
    expect(routes()).toEqual(["*/* postern"]);
    const all = await harness.dns.all();
    expect(all.filter(({ name }) => name === ORIGIN)).toMatchObject([
      { type: "AAAA", data: "100::", proxied: true },
    ]);
  });

  it("leave the console's own host to the worker, also below a wildcard", async () => {
    await withNames("*.example.com");
    await harness.dns.put("console.example.com", "AAAA", "100::", true);
    const people = {
      ACCESS_ISSUER: "https://acme.cloudflareaccess.com",
      ACCESS_AUDIENCE: "aud-of-the-console",
      CONSOLE_URL: "https://console.example.com",
    };
    expect((await harness.run({ ...YES, ...people })).steps[step]).toBe("done");
    expect(routes().toSorted()).toEqual([
      "*.example.com/* -",
      "*/* postern",
      "console.example.com/* postern",
      "post.example.com/* postern",
    ]);
  });

  it("leave other names as they are: set-up lists and asks, and routes them past the worker first", async () => {
    await withNames("www.example.com", "*.example.com");
    const { steps, text } = await harness.run();
    expect([steps[step], routes()]).toEqual(["skipped", []]);
    expect(text).toMatch(
      /route \*\/\* would take \*\.example\.com, www\.example\.com too\n +needed/,
    );
    const asked = await harness.setup([], {}, ["yes"]);
    expect(asked.text).toMatch(/these proxied names .*: \*\.example\.com, www\.example\.com\./);
    expect(asked.steps[step]).toBe("done");
    expect(routes()).toEqual([
      "post.example.com/* postern",
      "*.example.com/* -",
      "www.example.com/* -",
      "*/* postern",
    ]);
    // The answer is kept for names that the operator adds later.
    await withNames("blog.example.org.example.com");
    await harness.dns.put("*.example.com", "A", null);
    harness.change({ worker_routes: harness.account.worker_routes.slice(2) });
    expect((await harness.run()).text).toContain(
      "route blog.example.org.example.com/* to no worker",
    );
  });

  it.each([
    ["the fallback origin of others", { fallback_origin: "shop.example.com" }, /is shop\.example/],
    ["a route of others", { worker_routes: [route("*/*", "shop")] }, /\*\/\* leads to shop\n/],
    ["a route without a worker", { worker_routes: [route("*/*")] }, /\*\/\* leads to no worker/],
    [
      "a zone full of routes",
      { worker_routes: Array.from({ length: 1_000 }, (_, at) => route(`${at}.example.com/a`)) },
      /may have 1000 routes/,
    ],
  ])("overwrite nothing: %s", async (_, change, says) => {
    harness.change(structuredClone(change));
    const { text } = await expectRun(0, says, YES);
    expect(text).toMatch(/skipped +tracking hosts .*\n +needed +.* a zone of its own/);
    expect(harness.account).toMatchObject(change);
    expect((await harness.dns.all()).some(({ name }) => name === ORIGIN)).toBe(false);
  });

  it("are named by a dry run, which changes nothing", async () => {
    await withNames("www.example.com");
    const { text } = await harness.run(YES, "--dry-run");
    expect(text).toMatch(
      /would +tracking hosts +make what is missing: fallback origin track\.post\.example\.com, route \*\/\* to postern\n +would +route www\.example\.com\/\* to no worker/,
    );
    expect([routes(), harness.account.fallback_origin]).toEqual([[], null]);
  });

  it("that were half made are named, and the next run makes the rest", async () => {
    await withNames("a.example.com", "b.example.com");
    const made: string[] = [];
    for (const kind of ["refuse", "kill_after", "print"] as const) {
      harness.change({ fault: { at: `POST /zones/${ZONE.id}/workers`, kind } });
      const { code, text } = await harness.run(YES);
      made.push(`${code} ${text.split("left for the next run:\n")[1]?.replace(/\s+/g, " ") ?? ""}`);
    }
    expect(made).toEqual([
      "1  track.post.example.com AAAA 100:: fallback origin track.post.example.com ",
      "null ",
      "1 ",
    ]);
    expect(routes()).toEqual(["a.example.com/* -"]);
    await expectRun(0, /done +tracking hosts/, YES);
    expect(routes()).toEqual(["a.example.com/* -", "b.example.com/* -", "*/* postern"]);
  });

  it("are left out where something other than a Cloudflare zone stands in front", async () => {
    const { steps } = await harness.run({ TRACKING_HOSTS: "direct" });
    expect([steps[step], harness.variables?.["TRACKING_HOSTS"]]).toEqual([undefined, "direct"]);
  });
});
