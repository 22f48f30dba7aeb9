// Tests the files that the Deploy to Cloudflare button reads (docs/set-up.md §By the button): the
// name of the repository, wrangler.toml without ids, the secrets with their examples, and the
// descriptions. The formats: https://developers.cloudflare.com/workers/platform/deploy-buttons/
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { SECRETS } from "./finished-setup.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

interface Manifest {
  readonly repository: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly cloudflare: {
    readonly bindings: Readonly<Record<string, { readonly description: string }>>;
  };
}

interface Bound {
  readonly binding?: string;
  readonly name?: string;
}

interface Config {
  readonly vars: Readonly<Record<string, string>>;
  readonly assets: Bound;
  readonly send_email: readonly Bound[];
  readonly d1_databases: readonly (Bound & { readonly database_name?: string })[];
  readonly r2_buckets: readonly (Bound & { readonly bucket_name?: string })[];
  readonly queues: { readonly producers: readonly (Bound & { readonly queue?: string })[] };
  readonly durable_objects: { readonly bindings: readonly Bound[] };
}

const { repository, scripts, cloudflare } = JSON.parse(read("package.json")) as Manifest;
const text = read("wrangler.toml");
const config = parse(text) as unknown as Config;

/** Lines of the form `NAME=value # comment`, as the button reads them. */
const secrets = read(".dev.vars.example")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => /^([A-Z_]+)=(\S+) # (\S.*)$/.exec(line) ?? [line, "", "", ""]);

describe("the button", () => {
  it("names the same repository as package.json", () => {
    const [, named = ""] =
      /\]\(https:\/\/deploy\.workers\.cloudflare\.com\/\?url=([^)]+)\)/.exec(read("README.md")) ??
      [];
    expect(repository).toMatch(/^git(?:hub|lab):[\w.-]+\/[\w.-]+$/);
    expect(named).toBe(repository.replace(/^(github|gitlab):/, "https://$1.com/"));
  });

  it("finds resources by their names, without the ids of an account", () => {
    expect(text).not.toMatch(
      /^\s*(?:account_id|zone_id|database_id|preview_database_id|store_id|id)\s*=/m,
    );
    const names = [
      ...config.d1_databases.map(({ database_name: name }) => name),
      ...config.r2_buckets.map(({ bucket_name: name }) => name),
      ...config.queues.producers.map(({ queue }) => queue),
    ];
    expect(names.filter((name) => !name?.startsWith("postern-"))).toEqual([]);
    expect(scripts["deploy"]).toBe("node tools/setup/deploy.ts");
  });

  it("asks for every secret, with a description", () => {
    expect(secrets.map(([, name = ""]) => name).toSorted()).toEqual(SECRETS);
    for (const [, , value, comment] of secrets) expect([value, comment]).not.toContain("");
  });

  it("has no example secret that a worker would run with", () => {
    const examples = Object.fromEntries(secrets.map(([, name = "", value = ""]) => [name, value]));
    expect(examples["SIGNING_KEY"]?.length).toBeLessThan(32);
    expect(Buffer.from(examples["KEY_ENCRYPTION_KEY"] ?? "", "base64")).not.toHaveLength(32);
  });

  it("chooses the courier that needs no host, sets its binding, and configures no gateway", () => {
    expect(config.vars).toMatchObject({ OUTBOUND: "cloudflare", EGRESS_URL: "" });
    expect(config.send_email).toEqual([{ name: "EMAIL" }]);
  });

  it("describes every variable, secret and binding, and nothing else", () => {
    const bound: readonly Bound[] = [
      ...config.d1_databases,
      ...config.r2_buckets,
      ...config.queues.producers,
      ...config.durable_objects.bindings,
      ...config.send_email,
      config.assets,
    ];
    const names = [
      ...Object.keys(config.vars),
      ...SECRETS,
      ...bound.map(({ binding, name }) => binding ?? name ?? ""),
    ];
    expect(Object.keys(cloudflare.bindings).toSorted()).toEqual(names.toSorted());
    for (const { description } of Object.values(cloudflare.bindings))
      expect(description).toMatch(/^\S.{10,}\.$/);
  });
});
