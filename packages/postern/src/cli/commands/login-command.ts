// `postern login`: keeps a deployment's key in a file of its user's own, after the deployment has
// accepted it.
import { stdin, stdout } from "node:process";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { Postern } from "../../client/postern.ts";
import { httpUrl } from "../chosen-deployment.ts";
import type { CliCommand } from "../command.ts";
import { wrongUsage } from "../exit-codes.ts";
import { writeKey } from "../key-file.ts";

export const LOGIN_COMMAND: CliCommand = {
  name: "login",
  summary: "Keep the key of a deployment, and use that deployment from now on",
  usage: ["login [--url <url>]"],
  examples: [
    "postern login --url https://post.example.com",
    "postern login --url https://post.example.com < key.txt",
  ],
  run: async ({ given, terminal, environment }) => {
    const lines = linesOf();
    const asked = given.text("url") ?? environment["POSTERN_URL"] ?? (await lines("Deployment: "));
    const url = httpUrl("--url", asked);
    const key = given.text("key") ?? (await lines("API key (not shown): ", true));
    if (!/^[\x21-\x7e]+$/.test(key)) throw wrongUsage("that is not an API key");
    const identity = await new Postern(key, { baseUrl: url }).identity.get();
    const path = writeKey(environment, url, key);
    terminal.show({ url, path, ...identity }, () => [
      `Logged in to ${url} as ${identity.team?.name ?? "a team"} (${identity.api_key.permissions}).`,
      `The key is in ${path}.`,
    ]);
  },
};

/** Asks questions one after another: of a person, or of a file that has an answer in each line. */
function linesOf(): (question: string, isSecret?: boolean) => Promise<string> {
  const isPerson = stdin.isTTY;
  let isHidden = false;
  const shown = new Writable({
    write(chunk: Buffer, _, done) {
      if (!isHidden) stdout.write(chunk);
      done();
    },
  });
  const reader = createInterface({ input: stdin, output: shown, terminal: isPerson });
  const lines = reader[Symbol.asyncIterator]();
  return async (question, isSecret = false) => {
    if (isPerson) stdout.write(question);
    isHidden = isSecret;
    const line = await lines.next();
    if (isSecret) reader.close();
    if (isPerson && isSecret) stdout.write("\n");
    if (line.done) throw wrongUsage("the answer is missing");
    return line.value.trim();
  };
}
