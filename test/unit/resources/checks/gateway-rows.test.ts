// Tests the rows of a gateway's checks of itself (src/resources/checks/gateway-rows.ts) when worker
// and gateway are of different versions.
import { expect, it } from "vitest";
import { gatewayRows } from "../../../../src/resources/checks/gateway-rows.ts";

const URL = "https://egress.test";

function rowsOf(...findings: { check: string; status: "ok" | "failed" | "critical" }[]) {
  const told = { subject: null, message: "It is so.", advice: null, link: null };
  const watch = {
    checked_at: "2026-11-21T09:30:00.000Z",
    findings: findings.map((one) => ({ ...told, ...one })),
  };
  const link = { state: "agreed", status: 200 } as const;
  return gatewayRows({ url: URL, link, watch }).map(({ check, status }) => `${check} ${status}`);
}

it.each([
  ["is critical if a check fails", [{ check: "ptr", status: "failed" }], ["gateway.ptr critical"]],
  ["of an older version lacks a check, which then has no row and is not `ok`", [], []],
  [
    "of a newer version reports a check that the worker does not know, and gets a row of it",
    [{ check: "dane", status: "critical" }],
    ["gateway.dane critical"],
  ],
] as const)("a gateway %s", (_, findings, rows) => {
  expect(rowsOf(...findings)).toEqual(["gateway.token ok", ...rows]);
});
