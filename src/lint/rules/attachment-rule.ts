// Finds attachments for which large providers refuse a message, and mail that is larger than the
// courier's limit. Gmail: https://support.google.com/mail/answer/6590. Outlook:
// https://support.microsoft.com/office/blocked-attachments-in-outlook-434752e1-02d3-4e90-9124-8b81e49a8519.
// Pure.
import type { CheckedMail, AddProblem } from "../checked-mail.ts";
import type { HtmlVisitor } from "../html-visitor.ts";

/** File types that Gmail refuses, also in an archive. */
const BY_GMAIL = new Set(
  `ade adp apk appx appxbundle bat cab chm cmd com cpl diagcab diagcfg diagpkg dll dmg ex ex_
   exe hta img ins iso isp jar jnlp js jse lib lnk mde mjs msc msi msix msixbundle msp mst
   nsh pif ps1 scr sct shb sys vb vbe vbs vhd vhdx vxd wsc wsf wsh xll`.split(/\s+/),
);
/** File types that Outlook hides from the reader, in addition to Gmail's types. */
const BY_OUTLOOK = new Set(
  `ad app application asp aspx asx bas bgi cer cnt crt csh der fxp gadget grp hlp hpj htc inf
   its ksh library-ms mad maf mag mam maq mar mas mat mau mav maw mcf mda mdb mdt mdw mdz
   mht mhtml msh msh1 msh2 mshxml ops osd pcd pl plg prf prg printerexport ps1xml ps2 ps2xml
   psc1 psc2 psd1 psdm1 pst py pyc pyo pyw pyz pyzw reg scf settingcontent-ms shs theme tmp
   udl url vbp vsmacros vsw webpnp website ws xbap xnk`.split(/\s+/),
);
const TYPE = /\.([^.]+)$/;

export function beginAttachments(mail: CheckedMail, report: AddProblem): HtmlVisitor {
  for (const { field, name } of mail.attachments) {
    const type = TYPE.exec(name.trim())?.[1]?.toLowerCase() ?? "";
    const isRefused = BY_GMAIL.has(type);
    if (!isRefused && !BY_OUTLOOK.has(type)) continue;
    report({
      severity: "warning",
      at: { field, line: null, column: null },
      message: isRefused
        ? `Gmail refuses a message with a .${type} file.`
        : `Outlook hides a .${type} file from its reader.`,
      help: isRefused
        ? "Send a link to the file instead (https://support.google.com/mail/answer/6590)."
        : "Send a link to the file instead (https://support.microsoft.com/office/434752e1-02d3-4e90-9124-8b81e49a8519).",
    });
  }
  const { courier, copyBytes } = mail;
  if (courier && copyBytes !== null && copyBytes > courier.messageBytes)
    report({
      severity: "error",
      at: { field: "attachments", line: null, column: null },
      message:
        `The message has ${copyBytes} octets with its encoded attachments. ` +
        `${courier.name} takes ${courier.messageBytes}.`,
      help: "Send links to large files instead (docs/couriers.md).",
    });
  return {};
}
