// The texts of the pages for recipients in several languages. Names are inserted as HTML, at the
// position that each language needs. Pure.
import { chooseLanguage } from "../../lib/accept-language.ts";

export interface PageTexts {
  /** Language tag for the `lang` attribute and Content-Language. */
  readonly language: string;
  readonly question: string;
  readonly button: string;
  /** States that the recipient gets no more email about the topic from the sender. */
  readonly effect: (recipient: string, topic: string, sender: string) => string;
  /**
   * States the effect before the click. Absent if `effect` is in the future tense, because it then
   * fits before the click too.
   */
  readonly beforehand?: PageTexts["effect"];
  readonly wayOut: string;
  /** The text after a visitor posted a form that was not the page's own. */
  readonly unchanged: string;
  readonly done: string;
  readonly afterwards: string;
  /** The question above the button that undoes the unsubscription, and the button's label. */
  readonly mistake: string;
  readonly again: string;
  /** The page after the undo: its heading, and the sentence that mail comes again. */
  readonly back: string;
  readonly backEffect: (recipient: string, topic: string, sender: string) => string;
  readonly deadLink: string;
  readonly deadLinkAdvice: string;
}

type Texts = Omit<PageTexts, "language">;

const en: Texts = {
  question: "Unsubscribe?",
  button: "Unsubscribe",
  effect: (recipient, topic, sender) =>
    `${recipient} will no longer get ${topic} email from ${sender}.`,
  wayOut: "Not you, or opened by accident? Close this page, and nothing changes.",
  unchanged: "Nothing has changed yet. Please use the button below.",
  done: "You are unsubscribed",
  afterwards: "A message that is already on its way may still arrive. You can close this page.",
  mistake: "Was this a mistake?",
  again: "Subscribe again",
  back: "You are subscribed again",
  backEffect: (recipient, topic, sender) =>
    `${recipient} will get ${topic} email from ${sender} again.`,
  deadLink: "This link does not work",
  deadLinkAdvice:
    "It may have been cut off on its way. Please open it from the message once more, or copy " +
    "all of it.",
};

const de: Texts = {
  question: "E-Mails abbestellen?",
  button: "Abbestellen",
  effect: (recipient, topic, sender) =>
    `${recipient} erhält von ${sender} keine E-Mails zum Thema ${topic} mehr.`,
  beforehand: (recipient, topic, sender) =>
    `Nach dem Abbestellen erhält ${recipient} von ${sender} keine E-Mails zum Thema ${topic} mehr.`,
  wayOut:
    "Das sind nicht Sie, oder Sie sind versehentlich hier? Schließen Sie diese Seite, dann " +
    "ändert sich nichts.",
  unchanged: "Es hat sich noch nichts geändert. Bitte benutzen Sie die Schaltfläche unten.",
  done: "E-Mails abbestellt",
  afterwards:
    "Eine Nachricht, die schon unterwegs ist, kann noch ankommen. Sie können diese Seite " +
    "schließen.",
  mistake: "War das ein Versehen?",
  again: "Wieder anmelden",
  back: "Sie sind wieder angemeldet",
  backEffect: (recipient, topic, sender) =>
    `${recipient} erhält von ${sender} wieder E-Mails zum Thema ${topic}.`,
  deadLink: "Dieser Link funktioniert nicht",
  deadLinkAdvice:
    "Vielleicht wurde er unterwegs abgeschnitten. Bitte öffnen Sie ihn noch einmal aus der " +
    "E-Mail, oder kopieren Sie ihn vollständig.",
};

const fr: Texts = {
  question: "Se désabonner\u202f?",
  button: "Se désabonner",
  effect: (recipient, topic, sender) =>
    `${recipient} ne recevra plus d’e-mails «\u00a0${topic}\u00a0» de la part de ${sender}.`,
  wayOut:
    "Ce n’est pas vous, ou vous êtes ici par erreur\u202f? Fermez cette page, et rien ne changera.",
  unchanged: "Rien n’a encore changé. Veuillez utiliser le bouton ci-dessous.",
  done: "Désabonnement confirmé",
  afterwards: "Un message déjà en route peut encore arriver. Vous pouvez fermer cette page.",
  mistake: "C’était une erreur\u202f?",
  again: "Se réabonner",
  back: "Vous êtes de nouveau abonné",
  backEffect: (recipient, topic, sender) =>
    `${recipient} recevra de nouveau les e-mails «\u00a0${topic}\u00a0» de la part de ${sender}.`,
  deadLink: "Ce lien ne fonctionne pas",
  deadLinkAdvice:
    "Il a peut-être été coupé en chemin. Ouvrez-le de nouveau depuis le message, ou " +
    "copiez-le en entier.",
};

const es: Texts = {
  question: "¿Cancelar la suscripción?",
  button: "Cancelar la suscripción",
  effect: (recipient, topic, sender) =>
    `${recipient} dejará de recibir correos de ${sender} sobre ${topic}.`,
  wayOut: "¿No es usted, o ha llegado aquí por error? Cierre esta página y nada cambiará.",
  unchanged: "Todavía no ha cambiado nada. Utilice el botón de abajo.",
  done: "Suscripción cancelada",
  afterwards:
    "Es posible que aún reciba algún mensaje que ya estaba en camino. Puede cerrar esta página.",
  mistake: "¿Ha sido un error?",
  again: "Volver a suscribirse",
  back: "Suscripción reanudada",
  backEffect: (recipient, topic, sender) =>
    `${recipient} volverá a recibir correos de ${sender} sobre ${topic}.`,
  deadLink: "Este enlace no funciona",
  deadLinkAdvice:
    "Puede que se haya cortado por el camino. Ábralo de nuevo desde el mensaje, o cópielo entero.",
};

const it: Texts = {
  question: "Annullare l’iscrizione?",
  button: "Annulla l’iscrizione",
  effect: (recipient, topic, sender) =>
    `${recipient} non riceverà più email da ${sender} sull’argomento ${topic}.`,
  wayOut:
    "Non è il tuo indirizzo, o sei qui per sbaglio? Chiudi questa pagina e non cambierà nulla.",
  unchanged: "Non è ancora cambiato nulla. Usa il pulsante qui sotto.",
  done: "Iscrizione annullata",
  afterwards: "Un messaggio già inviato potrebbe ancora arrivare. Puoi chiudere questa pagina.",
  mistake: "È stato un errore?",
  again: "Iscriviti di nuovo",
  back: "Iscrizione ripristinata",
  backEffect: (recipient, topic, sender) =>
    `${recipient} riceverà di nuovo email da ${sender} sull’argomento ${topic}.`,
  deadLink: "Questo link non funziona",
  deadLinkAdvice:
    "Forse è stato troncato. Aprilo di nuovo dal messaggio, oppure copialo per intero.",
};

/** The Portuguese texts, which Brazil and Portugal share. */
const pt: Texts = {
  question: "Deixar de receber estes e-mails?",
  button: "Deixar de receber",
  effect: (recipient, topic, sender) =>
    `${recipient} deixará de receber e-mails de ${sender} sobre ${topic}.`,
  wayOut: "Não é o seu endereço, ou abriu esta página por engano? Feche-a e nada mudará.",
  unchanged: "Nada mudou ainda. Use o botão abaixo.",
  done: "Cancelamento confirmado",
  afterwards: "Uma mensagem que já foi enviada ainda pode chegar. Pode fechar esta página.",
  mistake: "Foi um engano?",
  again: "Voltar a receber",
  back: "Vai voltar a receber",
  backEffect: (recipient, topic, sender) =>
    `${recipient} voltará a receber e-mails de ${sender} sobre ${topic}.`,
  deadLink: "Este link não funciona",
  deadLinkAdvice:
    "Talvez tenha sido cortado no caminho. Abra-o novamente a partir da mensagem, ou copie-o " +
    "por inteiro.",
};

const nl: Texts = {
  question: "Afmelden?",
  button: "Afmelden",
  effect: (recipient, topic, sender) =>
    `${recipient} krijgt van ${sender} geen e-mails over ${topic} meer.`,
  beforehand: (recipient, topic, sender) =>
    `Na het afmelden krijgt ${recipient} van ${sender} geen e-mails over ${topic} meer.`,
  wayOut: "Bent u dit niet, of bent u hier per ongeluk? Sluit deze pagina, dan verandert er niets.",
  unchanged: "Er is nog niets veranderd. Gebruik de knop hieronder.",
  done: "U bent afgemeld",
  afterwards: "Een bericht dat al onderweg is, kan nog aankomen. U kunt deze pagina sluiten.",
  mistake: "Was dit een vergissing?",
  again: "Weer aanmelden",
  back: "U bent weer aangemeld",
  backEffect: (recipient, topic, sender) =>
    `${recipient} krijgt van ${sender} weer e-mails over ${topic}.`,
  deadLink: "Deze link werkt niet",
  deadLinkAdvice:
    "Misschien is de link onderweg afgekapt. Open hem nog eens vanuit het bericht, of " +
    "kopieer hem helemaal.",
};

const pl: Texts = {
  question: "Zrezygnować z subskrypcji?",
  button: "Zrezygnuj z subskrypcji",
  effect: (recipient, topic, sender) =>
    `Na adres ${recipient} nie będą już przychodzić e-maile na temat „${topic}” od nadawcy ` +
    `${sender}.`,
  wayOut:
    "To nie Twój adres albo ta strona otworzyła się przez pomyłkę? Zamknij ją, a nic się nie " +
    "zmieni.",
  unchanged: "Nic się jeszcze nie zmieniło. Użyj przycisku poniżej.",
  done: "Subskrypcja została anulowana",
  afterwards: "Wiadomość, która jest już w drodze, może jeszcze dotrzeć. Możesz zamknąć tę stronę.",
  mistake: "To była pomyłka?",
  again: "Subskrybuj ponownie",
  back: "Subskrypcja została wznowiona",
  backEffect: (recipient, topic, sender) =>
    `Na adres ${recipient} znów będą przychodzić e-maile na temat „${topic}” od nadawcy ${sender}.`,
  deadLink: "Ten link nie działa",
  deadLinkAdvice:
    "Mógł zostać ucięty po drodze. Otwórz go jeszcze raz z wiadomości albo skopiuj go w całości.",
};

const ja: Texts = {
  question: "配信を停止しますか？",
  button: "配信を停止する",
  effect: (recipient, topic, sender) =>
    `${sender} からの ${topic} に関するメールは、今後 ${recipient} に届かなくなります。`,
  wayOut:
    "お心当たりがない場合や、誤って開いた場合は、このページを閉じてください。何も変更されません。",
  unchanged: "まだ何も変更されていません。下のボタンを押してください。",
  done: "配信を停止しました",
  afterwards:
    "すでに送信されたメールは、行き違いで届くことがあります。このページは閉じて構いません。",
  mistake: "間違えましたか？",
  again: "配信を再開する",
  back: "配信を再開しました",
  backEffect: (recipient, topic, sender) =>
    `${sender} からの ${topic} に関するメールが、再び ${recipient} に届くようになります。`,
  deadLink: "このリンクは無効です",
  deadLinkAdvice:
    "リンクが途中で切れている可能性があります。メールからもう一度開くか、リンク全体をコピーしてください。",
};

const TEXTS = { en, de, fr, es, it, pt, nl, pl, ja } as const;

type Language = keyof typeof TEXTS;

export const PAGE_LANGUAGES = Object.keys(TEXTS) as [Language, ...Language[]];

/**
 * Chooses the texts by the request's Accept-Language header. Returns English if the header names
 * none of the languages.
 */
export function textsFor(header: string | undefined): PageTexts {
  const language = chooseLanguage(header, PAGE_LANGUAGES);
  return { language, ...TEXTS[language] };
}
