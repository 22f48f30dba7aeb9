// Tests the commands of docs/set-up.md §Domains of the Email Service, which wrangler itself runs
// against the double of the account's API. They have the same result as set-up, and the double
// answers wrangler as it answers set-up.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { EVENTS_QUEUE, findSubscription } from "../../../tools/setup/event-subscriptions.ts";
import { AccountApiDouble, queueIdOf } from "../../../tools/dev/account/account-api-double.ts";
import { emptyAccount, LOGIN_TOKEN } from "../../../tools/dev/account/cloudflare-account.ts";
import { WranglerDouble } from "../../../tools/dev/account/wrangler-double.ts";
import { ZONE } from "../../setup/test-zone.ts";

const ROOT = join(import.meta.dirname, "../../..");
const page = readFileSync(join(ROOT, "docs/set-up.md"), "utf8");
const commands = Array.from(
  page.matchAll(/^npx wrangler ((?:email sending enable|queues subscription create) .*)$/gm),
  ([, command = ""]) => command.replace("$ZONE_ID", ZONE.id).split(" "),
);

function runWrangler(url: string, args: readonly string[]): Promise<number | null> {
  const child = spawn(process.execPath, ["node_modules/wrangler/bin/wrangler.js", ...args], {
    cwd: ROOT,
    env: {
      PATH: process.env["PATH"],
      HOME: tmpdir(),
      CI: "1",
      WRANGLER_SEND_METRICS: "false",
      CLOUDFLARE_API_TOKEN: LOGIN_TOKEN,
      CLOUDFLARE_ACCOUNT_ID: "acc1",
      CLOUDFLARE_API_BASE_URL: url,
    },
    stdio: "ignore",
  });
  return new Promise((ended) => child.once("close", ended));
}

it("a domain is the same after the commands by hand and after set-up", async () => {
  const account = { ...emptyAccount(ZONE), queues: [EVENTS_QUEUE] };
  const api = new AccountApiDouble(new WranglerDouble(account), {
    onboard: () => Promise.resolve(),
  });
  const url = await api.listen();
  expect(commands).toHaveLength(2);
  for (const command of commands)
    expect([command, await runWrangler(url, command)]).toEqual([command, 0]);
  await api.close();
  expect(account.sending).toMatchObject([{ name: "news.example.com", enabled: true }]);
  const found = findSubscription(
    account.subscriptions,
    "news.example.com",
    queueIdOf(EVENTS_QUEUE),
  );
  expect(found).toMatchObject({ kind: "found", faults: [] });
});
