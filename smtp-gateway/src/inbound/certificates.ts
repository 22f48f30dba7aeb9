// Provides the certificate that STARTTLS presents. Reads the certificate's file and the key's file
// again when they change, because certificates are renewed while the gateway runs. While only one
// of the two files is new, the old certificate stays in use. Session tickets stay valid after a
// renewal.
import { randomBytes, X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import { readSettingFile, SettingError } from "../setting-readers.ts";
import { log } from "../gateway-log.ts";
import { HOUR_MS } from "../millisecond-units.ts";

/**
 * Milliseconds after which a ticket key is replaced. A stolen ticket key opens only the TLS
 * sessions of this period.
 */
const TICKET_KEYS_USED_MS = 12 * HOUR_MS;
const TICKET_KEY_BYTES = 48;

export class Certificates {
  readonly #files: { readonly certificate: string; readonly key: string };
  #state: string;
  #options: SecureContextOptions;
  #expiresAt = 0;
  #ticketKeysSince = performance.now();
  #timer: NodeJS.Timeout | null = null;

  /**
   * `certificate` and `key` are the paths of two PEM files. Throws SettingError if the files can't
   * be used.
   */
  constructor(certificate: string, key: string) {
    this.#files = { certificate, key };
    readSettingFile("SUBMISSION_CERTIFICATE", certificate);
    readSettingFile("SUBMISSION_KEY", key);
    this.#state = this.#describeFiles();
    try {
      this.#options = this.#read(randomBytes(TICKET_KEY_BYTES));
    } catch (error) {
      throw new SettingError(
        "SUBMISSION_CERTIFICATE",
        `does not match SUBMISSION_KEY (${(error as Error).message})`,
      );
    }
  }

  /** Options for the secure context of a TLS server. */
  get options(): SecureContextOptions {
    return this.#options;
  }

  /** When the certificate expires, in Unix milliseconds. */
  get expiresAt(): number {
    return this.#expiresAt;
  }

  /** Calls `changed` with the new options whenever the files have changed, until close(). */
  watch(changed: (options: SecureContextOptions) => void, everyMs: number): void {
    this.#timer = setInterval(() => {
      if (this.#reload()) changed(this.#options);
    }, everyMs);
    this.#timer.unref();
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  #reload(): boolean {
    const expired = performance.now() - this.#ticketKeysSince > TICKET_KEYS_USED_MS;
    try {
      const state = this.#describeFiles();
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

  #describeFiles(): string {
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
