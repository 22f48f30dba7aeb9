// Makes certificates for local servers: X.509 v3 with a P-256 key. This file writes the DER itself,
// because Node makes keys but no certificates. No client trusts the mail server's self-signed
// certificate, but senders with opportunistic TLS still encrypt. An authority of this machine signs
// the certificates of servers that clients must trust.
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIPv4 } from "node:net";

const DAY_MS = 24 * 60 * 60 * 1000;
const VALID_DAYS = 365;
const AUTHORITY_DAYS = 3650;
const OID_COMMON_NAME = "550403";
const OID_SUBJECT_ALT_NAME = "551d11";
const OID_ECDSA_WITH_SHA256 = "2a8648ce3d040302";
const OID_BASIC_CONSTRAINTS = "551d13";
const OID_KEY_USAGE = "551d0f";
/** The extensions of an authority. It may only sign certificates. */
const AUTHORITY_VALUES = { constraints: "30030101ff", usage: "03020204" } as const;

/** A key and its certificate as PEM. */
export interface KeyPair {
  readonly key: string;
  readonly cert: string;
}

/**
 * Returns key and certificate as PEM for these host names and IPv4 addresses. The first name is the
 * common name. The certificate is valid from `from` to `to`, in milliseconds from now.
 */
export function selfSigned(
  hostNames: readonly string[],
  fromMs = -DAY_MS,
  untilMs = VALID_DAYS * DAY_MS,
): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = hostNames[0] ?? "localhost";
  const signer = { name, key: privateKey };
  const validity = validFor(fromMs, untilMs);
  return pairOf(privateKey, derOf(name, publicKey, signer, validity, [namesExtension(hostNames)]));
}

/** Makes an authority. A client of this machine can be configured to trust its certificates. */
export function makeAuthority(name: string): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const extensions = [
    critical(OID_BASIC_CONSTRAINTS, AUTHORITY_VALUES.constraints),
    critical(OID_KEY_USAGE, AUTHORITY_VALUES.usage),
  ];
  const validity = validFor(-DAY_MS, AUTHORITY_DAYS * DAY_MS);
  return pairOf(
    privateKey,
    derOf(name, publicKey, { name, key: privateKey }, validity, extensions),
  );
}

/**
 * Returns a certificate of the authority for a host. `authority` has the authority's name and
 * private key.
 */
export function issuedBy(authority: Signer, host: string): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const validity = validFor(-DAY_MS, VALID_DAYS * DAY_MS);
  return pairOf(privateKey, derOf(host, publicKey, authority, validity, [namesExtension([host])]));
}

interface Signer {
  readonly name: string;
  readonly key: KeyObject;
}

function derOf(
  subject: string,
  publicKey: KeyObject,
  issuer: Signer,
  validity: Buffer,
  extensions: readonly Buffer[],
): Buffer {
  const algorithm = sequence(oid(OID_ECDSA_WITH_SHA256));
  const toBeSigned = sequence(
    element(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    commonName(issuer.name),
    validity,
    commonName(subject),
    publicKey.export({ type: "spki", format: "der" }),
    element(0xa3, sequence(...extensions)),
  );
  const signature = sign("sha256", toBeSigned, issuer.key);
  return sequence(
    toBeSigned,
    algorithm,
    element(0x03, Buffer.concat([Buffer.from([0]), signature])),
  );
}

function pairOf(key: KeyObject, der: Buffer): KeyPair {
  return { key: key.export({ type: "pkcs8", format: "pem" }).toString(), cert: pem(der) };
}

function commonName(name: string): Buffer {
  return sequence(set(sequence(oid(OID_COMMON_NAME), element(0x0c, Buffer.from(name)))));
}

function validFor(fromMs: number, untilMs: number): Buffer {
  return sequence(time(Date.now() + fromMs), time(Date.now() + untilMs));
}

function namesExtension(hostNames: readonly string[]): Buffer {
  const alternatives = sequence(...hostNames.map(alternativeName));
  return sequence(oid(OID_SUBJECT_ALT_NAME), element(0x04, alternatives));
}

function critical(id: string, valueHex: string): Buffer {
  const isCritical = element(0x01, Buffer.from([0xff]));
  return sequence(oid(id), isCritical, element(0x04, Buffer.from(valueHex, "hex")));
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
