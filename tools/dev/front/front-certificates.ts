// The front's certificates. This machine has an authority, which stays in the state directory. Each
// name gets its certificate at its first request.
import { createPrivateKey } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSecureContext, type SecureContext } from "node:tls";
import { issuedBy, makeAuthority } from "../../harness/smtp/self-signed.ts";

const AUTHORITY = "Postern local front";

export class FrontCertificates {
  /** The file with the authority's certificate. Clients must trust it. */
  readonly path: string;
  readonly #keyPath: string;
  readonly #byName = new Map<string, SecureContext>();

  constructor(directory: string) {
    this.path = join(directory, "ca.pem");
    this.#keyPath = join(directory, "ca-key.pem");
    if (existsSync(this.path) && existsSync(this.#keyPath)) return;
    const { key, cert } = makeAuthority(AUTHORITY);
    mkdirSync(directory, { recursive: true });
    writeFileSync(this.#keyPath, key, { mode: 0o600 });
    writeFileSync(this.path, cert);
  }

  get authority(): string {
    return readFileSync(this.path, "utf8");
  }

  contextFor(name: string): SecureContext {
    const known = this.#byName.get(name);
    if (known) return known;
    const key = createPrivateKey(readFileSync(this.#keyPath, "utf8"));
    const made = createSecureContext(issuedBy({ name: AUTHORITY, key }, name));
    this.#byName.set(name, made);
    return made;
  }
}
