// `postern keys`: the team's API keys.
import type { ApiKey } from "../../generated/types.ts";
import { type Actions, runAction } from "../chosen-action.ts";
import type { CliCommand, CommandInput } from "../command.ts";
import { definedMembers, type OptionTable } from "../given.ts";
import { tableLines } from "../command-output.ts";

const ACTIONS: Actions = { list, create, delete: deleteKey };

const OPTIONS: OptionTable = {
  "send-only": { type: "boolean", summary: "A key that can only send" },
  domain: { type: "string", multiple: true, value: "<name>", summary: "A domain it may send from" },
  ip: { type: "string", multiple: true, value: "<block>", summary: "An address it works from" },
};

export const KEYS_COMMAND: CliCommand = {
  name: "keys",
  summary: "List, create and delete API keys",
  usage: [
    "keys",
    "keys create <name> [--send-only] [--domain <name>] [--ip <block>]",
    "keys delete <id>",
  ],
  actions: Object.keys(ACTIONS),
  options: OPTIONS,
  examples: [
    "postern keys create shop --send-only --domain example.com",
    "postern keys create shop --send-only --json | jq -r .key",
  ],
  run: (input) => runAction(ACTIONS, input),
};

async function list({ terminal, client }: CommandInput): Promise<void> {
  const keys: ApiKey[] = [];
  for await (const key of client().apiKeys.list({ limit: 100 })) keys.push(key);
  terminal.show(keys, () =>
    tableLines(
      ["NAME", "PREFIX", "MAY", "LAST USED", "ID"],
      keys.map(({ name, key_prefix: prefix, permissions, last_used_at: used, id }) => [
        name,
        prefix,
        permissions,
        used?.slice(0, 10) ?? "never",
        id,
      ]),
    ),
  );
}

async function create({ given, terminal, client }: CommandInput): Promise<void> {
  const created = await client().apiKeys.create(
    definedMembers({
      name: given.needWord(1, "the key's name"),
      permissions: given.has("send-only") ? ("send_only" as const) : ("full" as const),
      allowed_domains: [...given.texts("domain")],
      allowed_ips: [...given.texts("ip")],
    }),
  );
  terminal.show(created, () => [created.key, `(${created.id}. The secret is not shown again.)`]);
}

async function deleteKey({ given, terminal, client }: CommandInput): Promise<void> {
  const id = given.needWord(1, "the key's id");
  await client().apiKeys.delete(id);
  terminal.show({ id }, () => [`Deleted: ${id}.`]);
}
