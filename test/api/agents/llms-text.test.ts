// Tests GET /llms.txt (src/api/llms-text.ts): it names the deployment's own address and every
// endpoint that a key may call, but no endpoint of the operator.
import { expect, it } from "vitest";
import { endpoints } from "../../../src/api/app.ts";
import { templatedPath } from "../../../src/endpoint.ts";
import { call } from "../../support/api.ts";

it("GET /llms.txt names every endpoint for keys, no other, and the address of the OpenAPI document", async () => {
  const response = await call("GET", "/llms.txt");
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
  const text = await response.text();
  expect(text).toContain("https://api.postern.test/openapi.json");
  for (const { method, path, permission, internal, summary } of endpoints) {
    const isListed = text.includes(`- \`${method} ${templatedPath(path)}\`: ${summary}\n`);
    const isForKeys = (permission === "full" || permission === "send") && internal !== true;
    expect(isListed, `${method} ${path}`).toBe(isForKeys);
  }
});
