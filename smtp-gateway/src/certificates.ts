// The certificate that STARTTLS shows: read from two files, and read again when they change,
// because certificates are renewed while the gateway runs. A pair that does not fit together (one
// file is new, the other not yet) changes nothing until it does. Session tickets outlive a renewal.
import { randomBytes, X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import { SettingError } from "./config.ts";
import { log } from "./gateway-log.ts";

const LOOK_EVERY_MS = 10_000;
/** A stolen ticket key opens the sessions of at most so long. */
const TICKET_KEYS_MS = 12 * 60 * 60 * 1000;
const TICKET_KEY_BYTES = 48;

export class Certificates {
  readonly #files: { readonly certificate: string; readonly key: string };
  #state: string;
  #options: SecureContextOptions;
  #expiresAt = 0;
  #ticketKeysSince = performance.now();
  #timer: NodeJS.Timeout | null = null;

  /** Paths of two PEM files. Throws SettingError when they can't be used. */
  constructor(certificate: string, key: string) {
    this.#files = { certificate, key };
    readFile("SUBMISSION_CERTIFICATE", certificate);
    readFile("SUBMISSION_KEY", key);
    this.#state = this.#look();
    try {
      this.#options = this.#read(randomBytes(TICKET_KEY_BYTES));
    } catch (error) {
      throw new SettingError(
        "SUBMISSION_CERTIFICATE",
        `does not go with SUBMISSION_KEY (${(error as Error).message})`,
      );
    }
  }

  /** For a server's secure context. */
  get options(): SecureContextOptions {
    return this.#options;
  }

  /** Unix milliseconds. */
  get expiresAt(): number {
    return this.#expiresAt;
  }

  /** Calls `changed` whenever the options are others; until close(). */
  watch(changed: (options: SecureContextOptions) => void, everyMs = LOOK_EVERY_MS): void {
    this.#timer = setInterval(() => {
      if (this.#refresh()) changed(this.#options);
    }, everyMs);
    this.#timer.unref();
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  #refresh(): boolean {
    const expired = performance.now() - this.#ticketKeysSince > TICKET_KEYS_MS;
    try {
      const state = this.#look();
      if (state === this.#state && !expired) return false;
      this.#options = this.#read(
        expired ? randomBytes(TICKET_KEY_BYTES) : this.#options.ticketKeys!,
      );
      this.#state = state;
      if (expired) this.#ticketKeysSince = performance.now();
      return true;
    } catch (error) {
      log("warning", "certificate_unusable", { error: (error as Error).message });
      return false;
    }
  }

  #look(): string {
    const { certificate, key } = this.#files;
    return [certificate, key]
      .map((path) => statSync(path))
      .map(({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`)
      .join(" ");
  }

  #read(ticketKeys: Buffer): SecureContextOptions {
    const options: SecureContextOptions = {
      cert: readFileSync(this.#files.certificate),
      key: readFileSync(this.#files.key),
      minVersion: "TLSv1.2",
      ticketKeys,
    };
    createSecureContext(options);
    this.#expiresAt = new X509Certificate(options.cert as Buffer).validToDate.getTime();
    log("info", "certificate_loaded", { valid_to: new Date(this.#expiresAt).toISOString() });
    return options;
  }
}

function readFile(setting: string, path: string): void {
  try {
    readFileSync(path);
  } catch (error) {
    throw new SettingError(setting, `can't be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
