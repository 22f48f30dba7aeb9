// Reads a server's TLS certificate (issuer, names, expiry) and TLS version. Old TLS versions are
// accepted, so that the doctor can report them.
import { isIP, type Socket } from "node:net";
import {
  checkServerIdentity,
  connect,
  type ConnectionOptions,
  type PeerCertificate,
  type TLSSocket,
} from "node:tls";
import { critical, type CheckResult, type CheckResults, ok, warning } from "./check-result.ts";

export type Handshake =
  | {
      readonly kind: "secure";
      /** Name of the TLS version, such as `TLSv1.3`. */
      readonly protocol: string;
      readonly certificate: PeerCertificate;
      /**
       * OpenSSL's name for the fault of the certificate's chain. Null means that the chain is
       * valid, even if the certificate is for another name.
       */
      readonly complaint: string | null;
      readonly socket: TLSSocket;
    }
  | { readonly kind: "failed"; readonly reason: string };

const TIMEOUT_MS = 10_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const SOON_DAYS = 14;
const OLD = /^(?:SSLv|TLSv1(?:\.1)?$)/;
const RENEW = "renew it, and check that automatic renewal works";
const UNTRUSTED =
  "use a certificate of a public authority, with its whole chain (Let's Encrypt's fullchain.pem)";

/**
 * Makes a TLS handshake over `socket` (STARTTLS), or over a new connection. `ca` is the only
 * authority to trust, as PEM. Without `ca`, the public authorities are trusted.
 */
export function shakeHands(
  where: { host: string; port: number } | { socket: Socket },
  servername: string,
  ca?: string,
): Promise<Handshake> {
  const options: ConnectionOptions = {
    ...where,
    ...(isIP(servername) === 0 && { servername }),
    ...(ca !== undefined && { ca }),
    minVersion: "TLSv1",
    ciphers: "DEFAULT:@SECLEVEL=0",
    rejectUnauthorized: false,
  };
  return new Promise((settled) => {
    const socket = connect(options);
    const failed = (reason: string): void => {
      socket.destroy();
      settled({ kind: "failed", reason });
    };
    socket.setTimeout(TIMEOUT_MS, () => failed(`no answer within ${TIMEOUT_MS / 1000} s`));
    socket.on("error", (error: NodeJS.ErrnoException) => failed(error.code ?? error.message));
    socket.once("secureConnect", () => {
      socket.setTimeout(0);
      // Node's error is about a broken certificate chain, or about a certificate for another name.
      // Another function reports a wrong name.
      const error = socket.authorizationError as unknown as NodeJS.ErrnoException | string | null;
      const code = typeof error === "string" ? error : (error?.code ?? null);
      const complaint = code === "ERR_TLS_CERT_ALTNAME_INVALID" ? null : code;
      settled({
        kind: "secure",
        protocol: socket.getProtocol() ?? "unknown",
        certificate: socket.getPeerCertificate(),
        complaint,
        socket,
      });
    });
  });
}

/** Judges the certificate of an https URL. `where` names the server in the results. */
export async function judgeServer(
  check: string,
  where: string,
  url: string,
): Promise<CheckResults> {
  const { hostname, port } = new URL(url);
  const handshake = await shakeHands({ host: hostname, port: Number(port || 443) }, hostname);
  if (handshake.kind === "secure") handshake.socket.destroy();
  return judge(check, where, hostname, handshake);
}

/**
 * Returns one result for each fault of the certificate. If the certificate has no fault, returns
 * one good result.
 */
export function judge(
  check: string,
  where: string,
  name: string,
  handshake: Handshake,
): CheckResults {
  if (handshake.kind === "failed")
    return critical(
      check,
      `${where}: no TLS (${handshake.reason})`,
      "check that TLS is served there, with a certificate for its name",
    );
  const { certificate, complaint, protocol } = handshake;
  const results: CheckResult[] = [];
  const now = Date.now();
  const until = Date.parse(certificate.valid_to);
  const daysLeft = Math.floor((until - now) / DAY_MS);
  const day = new Date(until).toISOString().slice(0, 10);
  const finds = (judged: typeof critical, what: string, mend: string) =>
    void results.push(judged(check, `${where}: ${what}`, mend));
  if (until < now) finds(critical, `the certificate expired on ${day}`, RENEW);
  else if (Date.parse(certificate.valid_from) > now)
    finds(
      critical,
      "the certificate is not valid yet",
      "set the clock of this machine, or of the machine that made the certificate",
    );
  else if (complaint !== null)
    finds(critical, `the certificate is not trusted (${complaint})`, UNTRUSTED);
  else if (daysLeft < SOON_DAYS)
    finds(warning, `the certificate expires in ${daysLeft} days, on ${day}`, RENEW);
  if (checkServerIdentity(name, certificate)) {
    const names =
      certificate.subjectaltname?.replaceAll("DNS:", "").replaceAll("IP Address:", "") ??
      String(certificate.subject.CN);
    finds(critical, `the certificate is for ${names}, not for ${name}`, `get one for ${name}`);
  }
  if (OLD.test(protocol))
    finds(critical, `supports at most ${protocol}`, "enable TLS 1.2 or later");
  return results.length > 0
    ? results
    : ok(check, `${where}: ${protocol}, valid for ${daysLeft} days`);
}
