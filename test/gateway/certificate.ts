// Makes a self-signed certificate for a host name: just enough DER for a TLS server in a test.
import { createSign, generateKeyPairSync, randomBytes } from "node:crypto";

const ECDSA_WITH_SHA256 = sequence(oid("2a8648ce3d040302"));

/** PEM, valid from yesterday to tomorrow. */
export function selfSigned(host: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(der(0x31, sequence(Buffer.concat([oid("550403"), der(0x0c, Buffer.from(host))]))));
  const validity = sequence(Buffer.concat([time(-86_400_000), time(86_400_000)]));
  const altNames = sequence(der(0x82, Buffer.from(host)));
  const authority = sequence(der(0x01, Buffer.from([0xff])));
  const extensions = der(
    0xa3,
    sequence(
      Buffer.concat([
        sequence(Buffer.concat([oid("551d11"), der(0x04, altNames)])),
        sequence(Buffer.concat([oid("551d13"), der(0x01, Buffer.from([0xff])), der(0x04, authority)])),
      ]),
    ),
  );
  const serial = der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const body = sequence(
    Buffer.concat([
      der(0xa0, der(0x02, Buffer.from([2]))),
      serial,
      ECDSA_WITH_SHA256,
      name,
      validity,
      name,
      publicKey.export({ type: "spki", format: "der" }),
      extensions,
    ]),
  );
  const signature = createSign("sha256").update(body).sign(privateKey);
  const cert = sequence(Buffer.concat([body, ECDSA_WITH_SHA256, der(0x03, Buffer.concat([Buffer.from([0]), signature]))]));
  const lines = cert.toString("base64").replace(/.{64}/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(content: Buffer): Buffer {
  return der(0x30, content);
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, "hex"));
}

function time(fromNowMs: number): Buffer {
  const digits = new Date(Date.now() + fromNowMs).toISOString().replace(/\D/g, "").slice(0, 14);
  return der(0x18, Buffer.from(`${digits}Z`));
}
