// `postern whoami`: which deployment, team and key a command would use.
import type { CliCommand } from "../command.ts";

export const WHOAMI_COMMAND: CliCommand = {
  name: "whoami",
  summary: "Show the deployment, the team and what the key may do",
  usage: ["whoami"],
  examples: ["postern whoami"],
  run: async ({ terminal, deployment, client }) => {
    const identity = await client().identity.get();
    const { url } = deployment();
    terminal.show({ url, ...identity }, () => [
      `Deployment   ${url}`,
      `Team         ${identity.team?.name ?? "-"}`,
      `Key          ${identity.api_key.id}, ${identity.api_key.permissions}`,
      ...(identity.limits
        ? [`Limits       ${identity.limits.daily} a day, ${identity.limits.monthly} a month`]
        : []),
    ]);
  },
};
