// Tests how a domain's records are written as a zone file and as Terraform.
import { expect, it } from "vitest";
import { quotedStrings } from "../../../console/src/pages/domains/dns-text.ts";
import { terraform } from "../../../console/src/pages/domains/terraform.ts";
import { zoneFile } from "../../../console/src/pages/domains/zone-file.ts";

const OWN = {
  host: "bounces.news.acme.shop",
  type: "CNAME",
  value: "k3f9.return-path.post.acme.dev",
  group: "sending",
} as const;
const POLICY = {
  host: "cf-bounce.news.acme.shop",
  type: "TXT",
  value: "v=spf1 include:_spf.mx.cloudflare.net ~all",
  group: "courier",
} as const;

it("writes absolute names, so that no $ORIGIN is added to them", () => {
  expect(zoneFile("news.acme.shop", [OWN])).toBe(
    "; Records of news.acme.shop for Postern\n" +
      "bounces.news.acme.shop. 3600 IN CNAME k3f9.return-path.post.acme.dev.\n",
  );
});

it("writes the records that Cloudflare publishes as comments", () => {
  const file = zoneFile("news.acme.shop", [
    OWN,
    { ...POLICY, type: "MX", value: "route1.mx.cloudflare.net" },
    POLICY,
    { ...POLICY, host: "cf-bounce._domainkey.news.acme.shop", value: null },
  ]);
  expect(file.split("\n").slice(3)).toEqual([
    "; Managed by Cloudflare's Email Service, listed for comparison only:",
    "; cf-bounce.news.acme.shop. 3600 IN MX route1.mx.cloudflare.net.",
    '; cf-bounce.news.acme.shop. 3600 IN TXT "v=spf1 include:_spf.mx.cloudflare.net ~all"',
    "; cf-bounce._domainkey.news.acme.shop. 3600 IN TXT (set by Cloudflare)",
    "",
  ]);
});

it("keeps the priority of an MX record, and escapes what would end a name", () => {
  const file = zoneFile("a.example", [
    { host: "a;b.example", type: "MX", value: "10 mx.example.", group: "sending" },
  ]);
  expect(file).toContain("a\\;b.example. 3600 IN MX 10 mx.example.\n");
});

it("splits a long text into strings of 255 octets and escapes each", () => {
  const strings = quotedStrings(`${"a".repeat(254)}""\\é`).split('" "');
  expect(strings).toEqual([`"${"a".repeat(254)}\\"`, '\\"\\\\\\195\\169"']);
  expect(quotedStrings("")).toBe('""');
});

it("writes resources of the provider's version 5 with safe names", () => {
  const text = terraform("news.acme.shop", "acme.shop", [
    OWN,
    { ...OWN, host: "ps1._domainkey.news.acme.shop" },
    POLICY,
  ]);
  expect(text).toContain(
    `resource "cloudflare_dns_record" "bounces_news_acme_shop" {
  zone_id = var.zone_id_of_news_acme_shop
  name    = "bounces.news.acme.shop"
  type    = "CNAME"
  content = "k3f9.return-path.post.acme.dev"
  ttl     = 1
  proxied = false
}
`,
  );
  expect(text).toContain('"ps1__domainkey_news_acme_shop"');
  expect(text).toContain("The id of the zone acme.shop at Cloudflare");
  expect(text).not.toContain("cf-bounce");
});

it("names each resource differently, and begins no name with a digit", () => {
  const text = terraform("4u.example", "4u.example", [
    { ...OWN, host: "a.b.4u.example" },
    { ...OWN, host: "a_b.4u.example" },
    { ...OWN, host: "4u.example" },
  ]);
  const names = [...text.matchAll(/resource "cloudflare_dns_record" "([^"]+)"/g)].map(
    ([, name]) => name,
  );
  expect(names).toEqual(["a_b_4u_example", "a_b_4u_example_2", "_4u_example"]);
  expect(text).toContain('variable "zone_id_of_4u_example"');
});

it("quotes texts for Terraform, with no template in them", () => {
  const text = terraform("a.example", "a.example", [
    { host: "a.example", type: "TXT", value: 'say "${x}" %{if}', group: "sending" },
  ]);
  expect(text).toContain('content = "\\"say \\\\\\"$${x}\\\\\\" %%{if}\\""\n');
  expect(text).not.toContain("proxied");
});
