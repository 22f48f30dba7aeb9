// The shapes in which mail programs quote, in five languages, and answers as people write them.
// Each shape with each answer is a case of the quotation's test.

/** A program's introductions of a quotation, by language. `marked`: its lines begin with `>`. */
export interface QuotationShape {
  readonly program: string;
  readonly intros: readonly string[];
  readonly marked: boolean;
}

const ANN = "Ann Smith <ann@shop.example>";
const FIELDS = (from: string, sent: string, to: string, subject: string): string =>
  `${from} ${ANN}\n${sent}\n${to} Bob <bob@x.example>\n${subject} Receipt 4711\n`;

const OUTLOOK = [
  FIELDS("From:", "Sent: Tuesday, May 5, 2026 10:00 AM", "To:", "Subject:"),
  FIELDS("Von:", "Gesendet: Dienstag, 5. Mai 2026 10:00", "An:", "Betreff:"),
  FIELDS("De :", "Envoyé : mardi 5 mai 2026 10:00", "À :", "Objet :"),
  FIELDS("De:", "Enviado: martes, 5 de mayo de 2026 10:00", "Para:", "Asunto:"),
  FIELDS("Da:", "Inviato: martedì 5 maggio 2026 10:00", "A:", "Oggetto:"),
];
const APPLE = [
  `On 5 May 2026, at 10:00, ${ANN} wrote:`,
  `Am 05.05.2026 um 10:00 schrieb ${ANN}:`,
  `Le 5 mai 2026 à 10:00, ${ANN} a écrit :`,
  `El 5 may 2026, a las 10:00, ${ANN} escribió:`,
  `Il giorno 5 mag 2026, alle ore 10:00, ${ANN} ha scritto:`,
].map((intro) => `> ${intro}\n> `);

export const SHAPES: readonly QuotationShape[] = [
  {
    program: "Gmail",
    marked: true,
    intros: [
      `On Tue, May 5, 2026 at 10:00 AM ${ANN} wrote:\n`,
      `Am Di., 5. Mai 2026 um 10:00 Uhr schrieb ${ANN}:\n`,
      `Le mar. 5 mai 2026 à 10:00, ${ANN} a écrit :\n`,
      "El mar, 5 may 2026 a las 10:00, Ann Smith (<ann@shop.example>) escribió:\n",
      `Il giorno mar 5 mag 2026 alle ore 10:00 Ann Smith <\nann@shop.example> ha scritto:\n`,
    ],
  },
  { program: "Apple Mail", marked: true, intros: APPLE },
  {
    program: "Thunderbird",
    marked: true,
    intros: [
      "On 05/05/2026 10:00, Ann Smith wrote:",
      "Am 05.05.26 um 10:00 schrieb Ann Smith:",
      "Le 05/05/2026 à 10:00, Ann Smith a écrit :",
      "El 05/05/2026 a las 10:00, Ann Smith escribió:",
      "Il 05/05/2026 10:00, Ann Smith ha scritto:",
    ],
  },
  { program: "Outlook", marked: false, intros: OUTLOOK },
  {
    program: "Outlook on the web",
    marked: false,
    intros: OUTLOOK.map((fields) => `${"_".repeat(32)}\n${fields}`),
  },
  {
    program: "Outlook 2010",
    marked: false,
    intros: [
      "-----Original Message-----",
      "-----Ursprüngliche Nachricht-----",
      "-----Message d'origine-----",
      "-----Mensaje original-----",
      "-----Messaggio originale-----",
    ].map((line, index) => `${line}\n${OUTLOOK[index]}`),
  },
  {
    program: "Yahoo",
    marked: false,
    intros: [
      `On Tuesday, May 5, 2026 at 10:00:00 AM GMT+2, ${ANN} wrote:\n`,
      `Am Dienstag, 5. Mai 2026 um 10:00:00 MESZ hat ${ANN} Folgendes geschrieben:\n`,
      `Le mardi 5 mai 2026 à 10:00:00 UTC+2, ${ANN} a écrit :\n`,
      `En martes, 5 de mayo de 2026, 10:00:00 CEST, ${ANN} escribió:\n`,
      `Il martedì 5 maggio 2026 alle ore 10:00:00 CEST, ${ANN} ha scritto:\n`,
    ],
  },
  {
    program: "a telephone",
    marked: true,
    intros: [
      "Sent from my iPhone",
      "Von meinem iPhone gesendet",
      "Envoyé de mon iPhone",
      "Enviado desde mi iPhone",
      "Inviato da iPhone",
    ].map((line, index) => `${line}\n\n${APPLE[index]}`),
  },
];

export const ANSWERS: readonly string[] = [
  "Thank you, that works.",
  "Hello Ann,\n\nthe amount is wrong: it should be 12 EUR.\n\nRegards, Bob",
  "On Monday you wrote that it would come at 10:30. It did not.",
  "1. yes\n2. no, see https://shop.example/orders/4711?from=mail\n* and > 3 more",
];

export const QUOTED = ["Your receipt 4711.", "", "Thank you for your order.", "-- ", "The Shop"];
