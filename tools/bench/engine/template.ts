// The template of `bench render`: 20 KB of mail-like HTML, 50 variables and their values.

const ROWS = 50;
const ROW_CHARACTERS = 400;

const STYLE =
  "padding:12px 24px;font-family:Helvetica,Arial,sans-serif;font-size:14px;line-height:20px;color:#1f2933;text-align:left";

export const TEMPLATE = `<!doctype html><html><body><table role="presentation">\n${Array.from({ length: ROWS }, (_, index) => row(index)).join("")}</table></body></html>\n`;

export const VARIABLES: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: ROWS }, (_, index) => [nameOf(index), `Anna & Paul's "order" no. ${index}`]),
);

function nameOf(index: number): string {
  return `field_${String(index).padStart(2, "0")}`;
}

function row(index: number): string {
  const open = `<tr><td style="${STYLE}">Line ${index}</td><td style="${STYLE}">`;
  const close = "</td></tr>\n";
  return (
    `${open}{{${nameOf(index)}}}${" of your order".repeat(ROW_CHARACTERS)}`.slice(
      0,
      ROW_CHARACTERS - close.length,
    ) + close
  );
}
