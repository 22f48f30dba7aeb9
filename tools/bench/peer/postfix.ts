// Runs a Postfix from Debian's package, with its own configuration, queue, log and port. This
// Postfix either stores or delivers mail. A storing Postfix accepts mail over STARTTLS and puts it
// into its hold queue, which is never processed. Each message is a file that is synced before the
// 250 to it. Only root can start Postfix. AUTH is missing, because it needs Cyrus or Dovecot.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  unlink,
  writeFile,
} from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Child } from "../../harness/child.ts";
import { ownPort } from "../../harness/loopback.ts";
import type { Cleanup } from "../../harness/cleanup.ts";

export interface Postfix {
  readonly port: number;
  /** Process id of the master process, the parent of all others. cpuSeconds() needs it. */
  readonly pid: number;
  /** Returns how many messages were stored since the last call, and deletes them. */
  takeAway(): Promise<number>;
  readonly about: string;
}

/** A use of Postfix: the settings that it adds to the common ones, and a line that describes it. */
interface PostfixRole {
  readonly settings: Readonly<Record<string, string>>;
  /** The domains to which it delivers, and the addresses and ports of their servers. */
  readonly routes?: Routes;
  readonly about: string;
}

type Routes = readonly (readonly [domain: string, address: string, port: number])[];

/**
 * Accepts mail over STARTTLS and stores it. `chain`: path of a PEM file with key and certificate.
 */
export function storing(chain: string): PostfixRole {
  return {
    settings: {
      smtpd_tls_security_level: "encrypt",
      smtpd_tls_chain_files: chain,
      smtpd_recipient_restrictions: "check_recipient_access static:HOLD, permit_mynetworks, reject",
      // Mail in the hold queue is never delivered. Postfix would take it for a backlog and slow
      // down.
      in_flow_delay: "0",
    },
    about:
      "STARTTLS without AUTH, into the hold queue, one synced file for each message; " +
      "in_flow_delay and name look-ups are off",
  };
}

/** Accepts mail without TLS and delivers it to these domains' servers on this machine. */
export function delivering(routes: Routes): PostfixRole {
  return {
    settings: { transport_maps: "texthash:$config_directory/transport" },
    routes,
    about:
      "its default limits: default_process_limit 100, default_destination_concurrency_limit " +
      "20, initial_destination_concurrency 5; no DKIM",
  };
}

const POSTFIX = "/usr/sbin/postfix";
const POSTCONF = "/usr/sbin/postconf";
const START_TIMEOUT_MS = 30_000;
const POLL_MS = 100;

/** Returns a string with the reason if Postfix can't start. */
export async function startPostfix(cleanup: Cleanup, role: PostfixRole): Promise<Postfix | string> {
  if (!existsSync(POSTFIX)) return "peer not installed: Postfix";
  if (process.getuid?.() !== 0) return "peer not started: only root can start Postfix";
  const directory = await mkdtemp(join(tmpdir(), "postern-bench-postfix-"));
  cleanup.add(() => rm(directory, { recursive: true, force: true }));
  const port = await ownPort();
  const configuration = await configure(directory, port, role);
  const run = promisify(execFile);
  await run(POSTFIX, ["-c", configuration, "check"]);
  const valueOf = async (name: string): Promise<string> =>
    (await run(POSTCONF, ["-c", configuration, "-h", name])).stdout.trim();
  const child = new Child(cleanup, join(await valueOf("daemon_directory"), "master"), [
    "-c",
    configuration,
    "-s",
  ]);
  await greets(port, join(directory, "log"));
  const hold = join(directory, "queue", "hold");
  return {
    port,
    pid: child.pid,
    async takeAway() {
      const files = await readdir(hold);
      for (const file of files) await unlink(join(hold, file));
      return files.length;
    },
    about: `Postfix ${await valueOf("mail_version")}: ${role.about}`,
  };
}

/**
 * Returns the directory of the configuration. The user of Postfix needs access to the queue, and
 * must own the data directory.
 */
async function configure(
  directory: string,
  port: number,
  { settings: own, routes = [] }: PostfixRole,
): Promise<string> {
  await chmod(directory, 0o755);
  const [configuration, queue, data] = ["config", "queue", "data"].map((name) =>
    join(directory, name),
  ) as [string, string, string];
  for (const folder of [configuration, queue, data]) await mkdir(folder, { mode: 0o755 });
  const { stdout } = await promisify(execFile)("id", ["-u", "postfix"]);
  await chown(data, Number(stdout), 0);
  const settings = {
    compatibility_level: "3.6",
    queue_directory: queue,
    data_directory: data,
    maillog_file: join(directory, "log"),
    maillog_file_prefixes: directory,
    myhostname: "postfix.bench.example",
    inet_interfaces: "127.0.0.1",
    inet_protocols: "ipv4",
    mynetworks: "127.0.0.0/8",
    mydestination: "",
    alias_maps: "",
    alias_database: "",
    local_recipient_maps: "",
    smtpd_peername_lookup: "no",
    ...own,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  await writeFile(join(configuration, "main.cf"), lines.join(""));
  const transports = routes.map(([domain, address, to]) => `${domain} smtp:[${address}]:${to}\n`);
  await writeFile(join(configuration, "transport"), transports.join(""));
  await writeFile(join(configuration, "master.cf"), SERVICES.replace("PORT", String(port)));
  return configuration;
}

/** The necessary part of Debian's master.cf, without its chroot. */
const SERVICES = `
127.0.0.1:PORT inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
`;

async function greets(port: number, log: string): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!(await isGreeted(port))) {
    if (performance.now() > deadline)
      throw new Error(`Postfix does not greet\n${await readFile(log, "utf8").catch(() => "")}`);
    await sleep(POLL_MS);
  }
}

function isGreeted(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host: "127.0.0.1", port, timeout: 5_000 });
  const end = (greeted: boolean): void => {
    socket.destroy();
    resolve(greeted);
  };
  socket.once("data", (chunk) => end(chunk.toString("latin1").startsWith("220")));
  for (const event of ["error", "timeout", "close"]) socket.once(event, () => end(false));
  return promise;
}
