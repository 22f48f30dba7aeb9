// Tests the files that `npm run client` writes to public/api (tools/openapi). They match the
// endpoints table as it is now, and the worker puts a deployment's own names into them.
import { describe, expect, it } from "vitest";
import { endpoints } from "../../src/api/app.ts";
import { publishedFile } from "../../src/published-file.ts";
import type { Env } from "../../src/env.ts";
import { publishedFiles } from "../../tools/openapi/published-files.ts";
import { bindings, callDeployment } from "../support/api.ts";
import { openApi } from "../support/openapi-shapes.ts";

describe("the files in public/api", () => {
  it.each(Object.entries(publishedFiles(endpoints)))(
    "have %s as the endpoints table makes it; if not, run `npm run client`",
    async (name, text) => {
      const file = await bindings.ASSETS.fetch(`https://assets/api/${name}`);
      expect(await file.text()).toBe(text);
    },
  );

  it("are named in the error of a deployment that lacks them", async () => {
    const ASSETS = { fetch: () => Promise.resolve(new Response(null, { status: 404 })) };
    const env = { ...bindings, ASSETS } as unknown as Env;
    await expect(publishedFile(env, "tools.json")).rejects.toThrow("/api/tools.json is missing");
  });
});

describe("GET /openapi.json", () => {
  it.each(["https://post.acme.test", 'https://a"$&b.acme.test'])(
    "has the deployment's own origin %s and HEADER_PREFIX in every place",
    async (origin) => {
      const response = await callDeployment(
        { HEADER_PREFIX: "Acme-Mail" },
        `${origin}/openapi.json`,
      );
      expect(await response.json()).toEqual(
        JSON.parse(
          JSON.stringify(await openApi())
            .replaceAll("https://api.postern.test", () => JSON.stringify(origin).slice(1, -1))
            .replaceAll('"Service-', '"Acme-Mail-'),
        ),
      );
    },
  );
});
