// Makes a self-signed certificate for the local mail server: X.509 v3 with a P-256 key. The DER is
// written by hand, because Node makes keys but no certificates. No client trusts the certificate,
// but senders with opportunistic TLS still encrypt.
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isIPv4 } from "node:net";

const DAY_MS = 24 * 60 * 60 * 1000;
const VALID_DAYS = 365;
const OID_COMMON_NAME = "550403";
const OID_SUBJECT_ALT_NAME = "551d11";
const OID_ECDSA_WITH_SHA256 = "2a8648ce3d040302";

/**
 * Returns key and certificate as PEM for these host names and IPv4 addresses. The first name is the
 * common name. The certificate is valid from `from` to `to`, in milliseconds from now.
 */
export function selfSigned(
  hostNames: readonly string[],
  fromMs = -DAY_MS,
  untilMs = VALID_DAYS * DAY_MS,
): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(oid(OID_ECDSA_WITH_SHA256));
  const name = sequence(
    set(sequence(oid(OID_COMMON_NAME), element(0x0c, Buffer.from(hostNames[0] ?? "localhost")))),
  );
  const alternatives = sequence(...hostNames.map(alternativeName));
  const extensions = sequence(sequence(oid(OID_SUBJECT_ALT_NAME), element(0x04, alternatives)));
  const toBeSigned = sequence(
    element(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    name,
    sequence(time(Date.now() + fromMs), time(Date.now() + untilMs)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    element(0xa3, extensions),
  );
  const signature = sign("sha256", toBeSigned, privateKey);
  const certificate = sequence(
    toBeSigned,
    algorithm,
    element(0x03, Buffer.concat([Buffer.from([0]), signature])),
  );
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: pem(certificate),
  };
}

function alternativeName(host: string): Buffer {
  return isIPv4(host)
    ? element(0x87, Buffer.from(host.split(".").map(Number)))
    : element(0x82, Buffer.from(host));
}

function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const header =
    length < 0x80
      ? [tag, length]
      : length < 0x100
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(header), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return element(0x30, Buffer.concat(parts));
}

function set(...parts: readonly Buffer[]): Buffer {
  return element(0x31, Buffer.concat(parts));
}

function integer(bytes: Buffer): Buffer {
  return element(0x02, bytes);
}

function oid(hex: string): Buffer {
  return element(0x06, Buffer.from(hex, "hex"));
}

function time(unixMs: number): Buffer {
  const digits = new Date(unixMs).toISOString().replace(/[-:T]/g, "").slice(2, 14);
  return element(0x17, Buffer.from(`${digits}Z`));
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
