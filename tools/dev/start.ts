// `npm start`: runs the whole service on this machine, without other installed programs. It starts
// doubles of the services outside, and the worker and the gateway, which it restarts when they end.
// It creates a team and a domain, and prints how to send a message. All its processes end with it.
// `npm run dev` (--reload) is for developers of the worker or the console: it also shows the
// worker's output, and builds the console after each edit. `npm start -- --account=<case>` starts an
// account instead, in which set-up makes a deployment.
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { startAccount } from "./account/start-account.ts";
import { type EmailDouble, gateway, withReloads, worker } from "./children.ts";
import { type AccessDouble, startAccess } from "./people/access-double.ts";
import { AUDIENCE } from "./people/assertions.ts";
import { seedPeople } from "./people/seed-people.ts";
import { openFront } from "./front/front-server.ts";
import { frontRecords, StackZone } from "./front/stack-zone.ts";
import { startDns } from "./dns/dns-server.ts";
import { type EmailService, startEmailService } from "./email-service/sending-server.ts";
import { eventsUrlOf } from "./email-service/wrapped-worker.ts";
import { startInbox } from "./inbox/inbox.ts";
import {
  endStaleGroups,
  forgetGroups,
  findRunningStart,
  recordGroups,
} from "./processes/stale-processes.ts";
import { dropLostOutput } from "./processes/log-file.ts";
import { migrate } from "./migrate.ts";
import { replyDoor } from "./reply-door.ts";
import { at, HOST, waitsForGateway } from "./find-other-stack.ts";
import { onNpmGone } from "./processes/npm-parents.ts";
import { consoleLink, seed } from "./seed.ts";
import { describeStack, printStack } from "./stack-addresses.ts";
import { serviceRecords } from "./dns/service-zone.ts";
import { loadSecrets, type Secrets } from "./dev-secrets.ts";
import {
  accountName,
  claimPorts,
  mailHosts,
  platformSwitches,
  type Ports,
  StartProblem,
  stateDirectory,
} from "./dev-settings.ts";
import { writeStateFile } from "./state-file.ts";
import { Child } from "../harness/child.ts";
import { ENDING_SIGNALS } from "../harness/process-table.ts";
import { startProcess } from "./processes/start-process.ts";
import { type ChildSpec, SupervisedChild, type SupervisedProcess } from "./processes/supervise.ts";
import { DNS_ZONE_ID, SERVICE_DOMAIN } from "./worker-settings.ts";
import { workerState } from "./local-wrangler.ts";

const TICK_EVERY_MS = 60 * 60 * 1000;
const SAME_SIGNAL_MS = 500;

const isForChanges = process.argv.includes("--reload");
const hasFront = process.argv.includes("--front");
const hasPeople = process.argv.includes("--people");
const accountGiven = accountName(process.argv);
/** Each start has a new account, in a directory of its own. */
const state = join(stateDirectory(process.env), accountGiven === undefined ? "" : "account");
const stackFile = join(state, "dev.json");
const children = new Set<SupervisedChild>();
/** The workers that the account's deployments started. */
const deployed = new Set<SupervisedProcess>();
let owned = false;
const stop = new AbortController();
let endingSince: number | null = null;

dropLostOutput();
for (const signal of ENDING_SIGNALS) process.on(signal, () => void end(0, signal));
onNpmGone(process.env, () => void end(0));
process.on("uncaughtException", (error) => void fail(error));
process.on("exit", () => {
  for (const child of [...children, ...deployed]) child.kill();
});

try {
  await run();
} catch (error) {
  await fail(error);
}

async function run(): Promise<void> {
  const startedAt = performance.now();
  const other = findRunningStart(state);
  if (other !== null)
    throw new StartProblem(
      `${state} is in use by process ${other}: end this process, or run \`npx wrangler ` +
        "dev` beside it",
    );
  await takeState();
  if (accountGiven !== undefined) {
    console.log(await startAccount(accountGiven, state, stop.signal, deployed, { hasFront }));
    return;
  }
  if (isForChanges) watchConsole();
  const ports = await claimPorts(process.env, waitsForGateway, { hasPeople, hasFront });
  const secrets = loadSecrets(state, process.env);
  const double = doubleAt(ports);
  const access =
    ports.PEOPLE_PORT === undefined ? null : await startAccess(ports.PEOPLE_PORT, at(ports.PORT));
  const front = hasFront ? new StackZone(state, SERVICE_DOMAIN, at(ports.DNS_PORT)) : null;
  await Promise.all([
    startOutside(ports, secrets, double, front),
    startChild(gateway(state, ports, secrets, process.env)),
    startWorker(ports, secrets, { double, access }),
  ]);
  const apiUrl = at(ports.PORT);
  const dnsUrl = at(ports.DNS_PORT);
  const seeded = {
    apiUrl,
    dnsUrl,
    ...(double && { emailServiceUrl: double.url }),
    adminToken: secrets.ADMIN_TOKEN,
    state,
  };
  const team = await seed(seeded);
  if (access)
    await seedPeople({ apiUrl, adminToken: secrets.ADMIN_TOKEN, teamId: team.team_id, access });
  const places = { ports, state, stackFile, adminToken: secrets.ADMIN_TOKEN };
  const stack = describeStack(places, team);
  writeStateFile(stackFile, stack);
  setInterval(() => void tick(apiUrl), TICK_EVERY_MS).unref();
  printStack(stack, places, await consoleLink(seeded, team), performance.now() - startedAt);
}

/**
 * Prepares the state directory. Ends the processes that a killed start left running, and removes
 * the file that describes their stack.
 */
async function takeState(): Promise<void> {
  rmSync(stackFile, { force: true });
  await endStaleGroups(state);
  recordGroups(state, []);
  owned = true;
}

/** Returns a new token and the URL of the Email Service's double, or null without a double. */
function doubleAt({ EMAIL_SERVICE_PORT: port }: Ports): EmailDouble | null {
  const platform = platformSwitches(process.argv, process.env);
  const token = randomBytes(24).toString("hex");
  return port === undefined ? null : { url: at(port), token, platform };
}

async function startOutside(
  ports: Ports,
  secrets: Secrets,
  double: EmailDouble | null,
  front: StackZone | null,
): Promise<void> {
  let service: EmailService | null = null;
  const zone = {
    id: DNS_ZONE_ID,
    name: SERVICE_DOMAIN,
    token: secrets.DNS_API_TOKEN,
    destinations: () => service?.verifiedDestinations() ?? [],
    ...(front && { hostnames: front.hostnames }),
  };
  const standing = [
    ...serviceRecords(SERVICE_DOMAIN),
    ...(front ? frontRecords(SERVICE_DOMAIN) : []),
  ];
  await startDns(ports.DNS_PORT, join(state, "dns"), zone, standing);
  if (front && ports.FRONT_PORT !== undefined)
    await openFront(ports.FRONT_PORT, {
      directory: join(state, "front"),
      edge: front.edge,
      workerPort: () => ports.PORT,
      zone: front,
    });
  await startInbox(
    { http: ports.INBOX_PORT, mx: ports.MX_PORT },
    join(state, "inbox"),
    mailHosts(process.env),
    { answer: replyDoor(HOST, ports.SMTP_PORT) },
  );
  if (double) service = await startDouble(ports, double);
}

function startDouble(ports: Ports, { token, platform }: EmailDouble): Promise<EmailService> {
  const { MX_HOSTS, RETRY_SPEEDUP, EGRESS_GREETING_SECONDS: greeting } = process.env;
  return startEmailService(ports.EMAIL_SERVICE_PORT ?? 0, {
    directory: join(state, "email-service"),
    token,
    eventsUrl: eventsUrlOf(at(ports.PORT)),
    dnsUrl: at(ports.DNS_PORT),
    route: { host: HOST, port: ports.MX_PORT, dns: MX_HOSTS ? `${HOST}:${ports.DNS_PORT}` : null },
    retrySpeedup: Number(RETRY_SPEEDUP) || 1,
    platform,
    ...(greeting && { timeouts: { greeting: Number(greeting) * 1_000 } }),
  });
}

async function startWorker(
  ports: Ports,
  secrets: Secrets,
  { double, access }: { readonly double: EmailDouble | null; readonly access: AccessDouble | null },
): Promise<void> {
  await migrate(
    { state, persistTo: workerState(state), record: join(state, "migrated.json") },
    stop.signal,
  );
  const people = access && {
    ACCESS_ISSUER: access.issuer,
    ACCESS_AUDIENCE: AUDIENCE,
    CONSOLE_URL: access.consoleUrl,
  };
  const frontUrl = ports.FRONT_PORT === undefined ? null : at(ports.FRONT_PORT);
  const spec = worker(state, ports, secrets, process.env, double, people ?? {}, frontUrl);
  if (endingSince === null) await startChild(isForChanges ? withReloads(spec) : spec);
}

/**
 * Starts a process that builds the console after each edit of its sources. The process ends
 * together with this process.
 */
function watchConsole(): void {
  const onLine = (line: string): void => console.log(`console: ${line}`);
  void new Child(null, process.execPath, ["console/build/build.ts", "--watch"], {
    inherits: true,
    onLine,
  });
}

async function startChild(spec: ChildSpec): Promise<void> {
  const watched = { ...spec, env: { ...spec.env, POSTERN_STACK_FILE: stackFile } };
  const listener = {
    notice: (line: string) => console.log(`postern: ${line}`),
    said: (line: string) => console.log(line),
    changed: noteGroups,
  };
  const child = new SupervisedChild(watched, listener, startProcess);
  children.add(child);
  noteGroups();
  await child.ready();
}

/**
 * Records the running process groups, so that the next start can end them if this process is
 * killed. If the disk is full, the stack continues, because the children also end without their
 * parent.
 */
function noteGroups(): void {
  try {
    recordGroups(
      state,
      [...children].flatMap(({ group }) => group ?? []),
    );
  } catch (error) {
    console.log(
      `postern: ${state} can't be written (${(error as NodeJS.ErrnoException).code}): after a ` +
        "kill of this `npm start`, its child processes may keep running",
    );
  }
}

/**
 * Runs the cron trigger of wrangler.toml, because wrangler does not run it locally. If the worker
 * does not answer, this run is skipped.
 */
async function tick(apiUrl: string): Promise<void> {
  await fetch(`${apiUrl}/cdn-cgi/local/scheduled`).catch(() => undefined);
}

async function fail(error: unknown): Promise<void> {
  if (endingSince !== null) return;
  const message =
    error instanceof StartProblem
      ? error.message
      : error instanceof Error
        ? error.stack
        : String(error);
  console.error(`postern: ${message}`);
  await end(1);
}

/**
 * Ends everything. A second signal ends the program immediately. The terminal sends Ctrl-C to all
 * processes, and npm passes it on once more. This repeated signal does not count as a second
 * signal.
 */
async function end(code: number, signal?: NodeJS.Signals): Promise<void> {
  if (endingSince !== null && performance.now() - endingSince < SAME_SIGNAL_MS) return;
  if (endingSince !== null) process.exit(code);
  endingSince = performance.now();
  if (signal) console.log(`postern: stopping (${signal})`);
  stop.abort();
  // Files can be removed even if the disk is full.
  try {
    if (owned) rmSync(stackFile, { force: true });
    await Promise.all([...children, ...deployed].map((child) => child.stop()));
    if (owned) forgetGroups(state);
  } finally {
    process.exit(code);
  }
}
