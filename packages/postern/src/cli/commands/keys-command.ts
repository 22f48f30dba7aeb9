// `postern keys`: the team's API keys.
import type { ApiKey } from "../../generated/types.ts";
import { requestRun, deleteRun, listRun } from "../request-actions.ts";
import type { CommandGroup } from "../command.ts";
import { definedMembers } from "../parsed-arguments.ts";
import { day } from "../shown-values.ts";

export const KEYS_COMMAND: CommandGroup = {
  name: "keys",
  summary: "List, create and delete API keys",
  examples: [
    "postern keys create shop --send-only --domain example.com",
    "postern keys create shop --send-only --json | jq -r .key",
  ],
  actions: [
    {
      name: "list",
      summary: "List the keys, without their secrets",
      run: listRun<ApiKey>(
        {
          NAME: ({ name }) => name,
          PREFIX: (one) => one.key_prefix,
          MAY: ({ permissions }) => permissions,
          "LAST USED": (one) => day(one.last_used_at, "never"),
          ID: ({ id }) => id,
        },
        (client, _, limit) => client.apiKeys.list({ limit }),
      ),
    },
    {
      name: "create",
      takes: "<name>",
      summary: "Create a key, and show its secret once",
      options: {
        "send-only": { summary: "A key that can only send" },
        domain: { multiple: true, value: "<name>", summary: "A domain that the key may send from" },
        ip: { multiple: true, value: "<block>", summary: "An IP address that may use the key" },
      },
      run: requestRun(
        (client, given) =>
          client.apiKeys.create(
            definedMembers({
              name: given.positional(0),
              permissions: given.has("send-only") ? ("send_only" as const) : ("full" as const),
              allowed_domains: [...given.texts("domain")],
              allowed_ips: [...given.texts("ip")],
            }),
          ),
        ({ key, id }) => [key, `(${id}. The secret is not shown again.)`],
      ),
    },
    {
      name: "delete",
      takes: "<id>",
      summary: "Delete a key: programs that use it are refused",
      asks: (given) => `Delete the key ${given.positional(0)}?`,
      run: deleteRun((client, id) => client.apiKeys.delete(id)),
    },
  ],
};
