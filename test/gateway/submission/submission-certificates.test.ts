// Tests the certificate that STARTTLS presents: TLS 1.2 or later, renewal without a restart, and
// sessions that resume after a renewal.
import { copyFileSync, mkdirSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Certificates } from "../../../smtp-gateway/src/inbound/certificates.ts";
import type { IntakeSettings } from "../../../smtp-gateway/src/config.ts";
import { type MailHarness, startIntake, writeCertificate } from "../mail-harness.ts";
import { SmtpClient } from "../../support/smtp-client.ts";
import { pause, temporaryDirectory } from "../gateway-harness.ts";

function startHarness(overrides: Partial<IntakeSettings> = {}): Promise<MailHarness> {
  return startIntake("submission", { certificateEveryMs: 20, ...overrides });
}

/**
 * Does a handshake. Returns the certificate's name, whether the session was resumed, and the ticket
 * for the next session. A resumed session gets no ticket.
 */
async function handshake(
  port: number,
  session?: Buffer,
): Promise<{ name: string; reused: boolean; ticket: Buffer | undefined }> {
  const client = await SmtpClient.connect(port);
  await client.reply();
  await client.command("EHLO client.example");
  await client.starttls({ ...(session && { session }) });
  await client.command("NOOP");
  const reused = client.tls.isSessionReused();
  const shown = {
    name: String(client.tls.getPeerCertificate().subject?.CN),
    reused,
    ticket: reused ? undefined : await client.ticket,
  };
  client.close();
  return shown;
}

describe("a certificate", () => {
  it("is replaced soon after its files change, and old sessions are resumed", async () => {
    const { port, certificateFiles } = await startHarness();
    const first = await handshake(port);
    expect(first).toMatchObject({ name: "in.postern.test", reused: false });
    const renewed = writeCertificate(temporaryDirectory(), "renewed.postern.test");
    copyFileSync(renewed.certificate, certificateFiles.certificate);
    await pause(80);
    expect(await handshake(port)).toMatchObject({ name: "in.postern.test" });
    copyFileSync(renewed.key, certificateFiles.key);
    await expect.poll(async () => (await handshake(port)).name).toBe("renewed.postern.test");
    expect((await handshake(port, first.ticket)).reused).toBe(true);
  });

  it("that certbot renewed by changing symbolic links is replaced", async () => {
    const lineage = join(temporaryDirectory(), "live", "in.postern.test");
    const archive = join(temporaryDirectory(), "archive");
    const renew = (version: number, host: string): void => {
      const made = writeCertificate(temporaryDirectory(), host);
      for (const [from, name] of [
        [made.certificate, "fullchain"],
        [made.key, "privkey"],
      ] as const) {
        const target = join(archive, `${name}${version}.pem`);
        copyFileSync(from, target);
        // All files have the same modification time, as after a restore from a backup.
        utimesSync(target, 1_700_000_000, 1_700_000_000);
        const link = join(lineage, `${name}.pem`);
        rmSync(link, { force: true });
        symlinkSync(target, link);
      }
    };
    for (const directory of [lineage, archive]) mkdirSync(directory, { recursive: true });
    renew(1, "first.postern.test");
    const { port } = await startHarness({
      certificate: join(lineage, "fullchain.pem"),
      key: join(lineage, "privkey.pem"),
    });
    expect(await handshake(port)).toMatchObject({ name: "first.postern.test" });
    renew(2, "second.postern.test");
    await expect.poll(async () => (await handshake(port)).name).toBe("second.postern.test");
    // The key's link is missing while certbot replaces the two links.
    rmSync(join(lineage, "privkey.pem"));
    await pause(60);
    expect(await handshake(port)).toMatchObject({ name: "second.postern.test" });
    renew(3, "third.postern.test");
    await expect.poll(async () => (await handshake(port)).name).toBe("third.postern.test");
  });

  it("that does not match its key is refused at the start, naming the setting", () => {
    const one = writeCertificate(temporaryDirectory());
    const other = writeCertificate(temporaryDirectory());
    expect(() => new Certificates(one.certificate, other.key)).toThrow(
      /^setting SUBMISSION_CERTIFICATE: does not match SUBMISSION_KEY/,
    );
    expect(() => new Certificates(one.certificate, "/nowhere")).toThrow(
      "setting SUBMISSION_KEY: can't be read (ENOENT)",
    );
  });
});

describe("a handshake", () => {
  it("below TLS 1.2 fails, and other connections go on", async () => {
    const { port } = await startHarness();
    const client = await SmtpClient.connect(port);
    await client.reply();
    await client.command("EHLO client.example");
    await expect(
      client.starttls({
        minVersion: "TLSv1",
        maxVersion: "TLSv1.1",
        ciphers: "DEFAULT@SECLEVEL=0",
      }),
    ).rejects.toThrow();
    expect(await handshake(port)).toMatchObject({ name: "in.postern.test" });
  });
});
