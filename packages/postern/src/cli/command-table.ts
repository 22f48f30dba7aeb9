// Every command, in the order of the help.
import type { CliCommand } from "./command.ts";
import { API_COMMAND } from "./commands/api-command.ts";
import { CHECK_COMMAND } from "./commands/check-command.ts";
import { completionCommand } from "./commands/completion-command.ts";
import { DELIVERABILITY_COMMAND } from "./commands/deliverability-command.ts";
import { DOMAINS_COMMAND } from "./commands/domains-command.ts";
import { EMAILS_COMMAND } from "./commands/emails-command.ts";
import { EVENTS_COMMAND } from "./commands/events-command.ts";
import { KEYS_COMMAND } from "./commands/keys-command.ts";
import { LOGIN_COMMAND } from "./commands/login-command.ts";
import { MCP_COMMAND } from "./commands/mcp-command.ts";
import { REPLIES_COMMAND } from "./commands/replies-command.ts";
import { REQUESTS_COMMAND } from "./commands/requests-command.ts";
import { SEND_COMMAND } from "./commands/send-command.ts";
import { SHOW_COMMAND } from "./commands/show-command.ts";
import { STATS_COMMAND } from "./commands/stats-command.ts";
import { SUPPRESSIONS_COMMAND } from "./commands/suppressions-command.ts";
import { TEMPLATES_COMMAND } from "./commands/templates-command.ts";
import { WEBHOOKS_COMMAND } from "./commands/webhooks-command.ts";
import { WHOAMI_COMMAND } from "./commands/whoami-command.ts";
import { WHY_COMMAND } from "./commands/why-command.ts";

export const COMMANDS: readonly CliCommand[] = [
  LOGIN_COMMAND,
  WHOAMI_COMMAND,
  SEND_COMMAND,
  CHECK_COMMAND,
  EMAILS_COMMAND,
  SHOW_COMMAND,
  WHY_COMMAND,
  EVENTS_COMMAND,
  STATS_COMMAND,
  DELIVERABILITY_COMMAND,
  REPLIES_COMMAND,
  REQUESTS_COMMAND,
  DOMAINS_COMMAND,
  TEMPLATES_COMMAND,
  SUPPRESSIONS_COMMAND,
  WEBHOOKS_COMMAND,
  KEYS_COMMAND,
  API_COMMAND,
  MCP_COMMAND,
  completionCommand(() => COMMANDS),
];
