// `postern whoami`: the deployment, team and key that a command would use.
import type { SingleCommand } from "../command.ts";
import { figure } from "../shown-values.ts";

export const WHOAMI_COMMAND: SingleCommand = {
  name: "whoami",
  summary: "Show the deployment, the team and what the key may do",
  examples: ["postern whoami"],
  run: async ({ terminal, deployment, client }) => {
    const identity = await client().identity.get();
    const { url } = deployment();
    terminal.show({ url, ...identity }, () => [
      `Deployment   ${url}`,
      `Team         ${identity.team?.name ?? "-"}`,
      `Key          ${identity.api_key.id}, ${identity.api_key.permissions}`,
      ...(identity.limits
        ? [
            `Limits       ${figure(identity.limits.daily)} a day, ` +
              `${figure(identity.limits.monthly)} a month`,
          ]
        : []),
    ]);
  },
};
