// Describes a running stack: in dev.json for programs, and in the terminal for the developer.
import { join } from "node:path";
import { at, HOST } from "./find-other-stack.ts";
import type { Ports } from "./dev-settings.ts";
import type { SeededTeam } from "./seed.ts";

/** The user name of SMTP submission. The password is an API key. */
const SMTP_USER = "service";

export interface StackAddresses {
  readonly ports: Ports;
  readonly state: string;
  readonly stackFile: string;
  readonly adminToken: string;
}

type StackDescription = ReturnType<typeof describeStack>;

/** Returns the content of dev.json. */
export function describeStack({ ports, state, adminToken }: StackAddresses, team: SeededTeam) {
  return {
    api_url: at(ports.PORT),
    api_key: team.api_key,
    team_id: team.team_id,
    admin_token: adminToken,
    smtp: {
      host: HOST,
      port: ports.SMTP_PORT,
      user: SMTP_USER,
      ca: join(state, "smtp", "cert.pem"),
    },
    inbox_url: at(ports.INBOX_PORT),
    mx: { host: HOST, port: ports.MX_PORT },
    dns_url: at(ports.DNS_PORT),
    egress_url: at(ports.EGRESS_PORT),
    ...(ports.EMAIL_SERVICE_PORT !== undefined && {
      email_service_url: at(ports.EMAIL_SERVICE_PORT),
    }),
    ...(ports.FRONT_PORT !== undefined && {
      front: { url: at(ports.FRONT_PORT), ca: join(state, "front", "ca.pem") },
    }),
    ...(ports.PEOPLE_PORT !== undefined && {
      people_url: `${at(ports.PEOPLE_PORT)}/console`,
    }),
  };
}

/** Prints how to use the stack. `link` signs in to the console. */
export function printStack(
  stack: StackDescription,
  { stackFile }: StackAddresses,
  link: string,
  tookMs: number,
): void {
  const message = {
    from: "hello@example.test",
    to: ["someone@example.net"],
    subject: "Hello",
    text: "It works.",
  };
  console.log(`
Postern is up (${(tookMs / 1000).toFixed(1)} s). Ctrl-C ends it.

  API          ${stack.api_url}
  Key          ${stack.api_key}  (team ${stack.team_id}, domain example.test)
  Resend       RESEND_BASE_URL=${stack.api_url} RESEND_API_KEY=${stack.api_key}  (for code that was written for Resend: docs/from-resend.md)
  Console      ${link}  (signs in once, for 10 minutes)
  Reference    ${stack.api_url}/docs
  SMTP         ${stack.smtp.host}:${stack.smtp.port}  (STARTTLS, user ${stack.smtp.user}, password the key; certificate ${stack.smtp.ca})
  Inbox        ${stack.inbox_url}  (takes all mail for every domain, on port ${stack.mx.port})
  DNS          ${stack.dns_url}${emailServiceLine(stack)}${peopleLine(stack)}${frontLine(stack)}
  Admin token  ${stack.admin_token}
  All values   ${stackFile}

Send a message, then look at the inbox:

  curl -sS ${stack.api_url}/v1/email -H 'Authorization: Bearer ${stack.api_key}' -H 'Content-Type: application/json' -d '${JSON.stringify(message)}'
`);
}

function emailServiceLine({ email_service_url: url }: StackDescription): string {
  return url === undefined
    ? ""
    : `\n  Email        ${url}  (the Email Service's double, carries all mail)`;
}

function peopleLine({ people_url: url }: StackDescription): string {
  return url === undefined ? "" : `\n  People       ${url}  (four people sign in to the console)`;
}

function frontLine({ front }: StackDescription): string {
  return front === undefined
    ? ""
    : `\n  Front        ${front.url}  (TLS, and a proxy: curl --proxy ${front.url} --cacert ${front.ca})`;
}
