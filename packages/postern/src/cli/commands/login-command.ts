// `postern login`: stores a deployment's key in a file of the current user, after the deployment
// has accepted the key.
import { Postern } from "../../client/postern.ts";
import { httpUrl } from "../chosen-deployment.ts";
import type { SingleCommand } from "../command.ts";
import { wrongUsage } from "../exit-codes.ts";
import { writeKey } from "../key-file.ts";
import { promptsOn } from "../program-streams.ts";

export const LOGIN_COMMAND: SingleCommand = {
  name: "login",
  summary: "Store a deployment's key, and use that deployment from now on",
  examples: [
    "postern login --url https://post.example.com",
    "postern login --url https://post.example.com < key.txt",
  ],
  run: async ({ given, terminal, streams, environment }) => {
    const { ask, end } = promptsOn(streams);
    const asked = given.text("url") ?? environment["POSTERN_URL"] ?? (await ask("Deployment: "));
    const url = httpUrl("--url", asked);
    const key = given.text("key") ?? (await ask("API key (not shown): ", true));
    end();
    if (!/^[\x21-\x7e]+$/.test(key)) throw wrongUsage("that is not an API key");
    const identity = await new Postern(key, { baseUrl: url }).identity.get();
    const path = writeKey(environment, url, key);
    terminal.show({ url, path, ...identity }, () => [
      `Logged in to ${url} as ${identity.team?.name ?? "a team"} (${identity.api_key.permissions}).`,
      `The key is in ${path}.`,
    ]);
  },
};
