// The program that replaces wrangler (POSTERN_WRANGLER). It sends its command to the account's
// double of `npm start -- --account=<case>`, and prints the answer.
import { text } from "node:stream/consumers";
import type { PassedCommand } from "./account-api-double.ts";
import type { WranglerResult } from "./wrangler-double.ts";

const argv = process.argv.slice(2);
const { CLOUDFLARE_API_BASE_URL, CLOUDFLARE_API_TOKEN, WRANGLER_OUTPUT_FILE_PATH } = process.env;
const isBulk = argv[0] === "secret" && argv[1] === "bulk";
const command: PassedCommand = {
  argv,
  stdin: isBulk ? await text(process.stdin) : "",
  environment: { CLOUDFLARE_API_TOKEN, WRANGLER_OUTPUT_FILE_PATH },
  root: process.cwd(),
};
const response = await fetch(new URL("/wrangler", CLOUDFLARE_API_BASE_URL), {
  method: "POST",
  body: JSON.stringify(command),
});
const ran = (await response.json()) as WranglerResult & { error?: { message: string } };
process.stdout.write(ran.stdout ?? "");
process.stderr.write(ran.stderr ?? `${ran.error?.message}\n`);
process.exitCode = ran.code ?? 1;
