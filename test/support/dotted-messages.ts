// Messages whose dots and line ends matter after DATA (RFC 5321 §4.5.2). A third text is the
// message that the server must read, if it differs from the sent one. One character stands for one
// byte.

const H = "Subject: x\r\n\r\n";

export const DOTTED_MESSAGES: readonly [name: string, message: string, read?: string][] = [
  ["an ordinary message", `${H}hello\r\nworld\r\n`],
  ["a dot at the very start", `.${H}hello\r\n`],
  ["only a dot", ".", ".\r\n"],
  ["a lone dot on its line", `${H}a\r\n.\r\nb\r\n`],
  ["a lone dot on the last line", `${H}a\r\n.\r\n`],
  ["a lone dot at the end without a line end", `${H}a\r\n.`, `${H}a\r\n.\r\n`],
  ["two and three dots", `${H}..\r\n...\r\n..a\r\n`],
  ["dots inside lines", `${H}a.b\r\nc. \r\n d.\r\n`],
  ["empty lines at the end", `${H}a\r\n\r\n\r\n`],
  ["no line end at the end", `${H}a`, `${H}a\r\n`],
  ["nothing at all", ""],
  ["a bare LF before a dot", `${H}a\n.\r\nb\r\n`, `${H}a\r\n.\r\nb\r\n`],
  ["a bare CR before a dot", `${H}a\r.\r\nb\r\n`, `${H}a\r\n.\r\nb\r\n`],
  [
    "bare LF, dot, bare LF",
    `${H}a\n.\nMAIL FROM:<evil@example.test>\n`,
    `${H}a\r\n.\r\nMAIL FROM:<evil@example.test>\r\n`,
  ],
  ["CR CR LF", `${H}a\r\r\nb\r\n`, `${H}a\r\n\r\nb\r\n`],
  ["a bare CR at the end", `${H}a\r`, `${H}a\r\n`],
  ["8-bit bytes", `${H}\xc3\xa9\r\n.\xc3\xbc\r\n`],
];
