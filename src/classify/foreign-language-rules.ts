// The bounce rules for wording in languages other than English (contract.md §Bounces). A rule pairs
// a noun (a mailbox, a sender, storage) with a predicate ("unknown", "disabled", "full",
// "refused"), in either order. So a new language only needs its words in the lists. Sources: the
// localised reply texts of Exchange, Postfix and Exim at European and Asian hosters, Orange, La
// Poste, Libero, T-Online, GMX, Terra, UOL, WP, Onet, Mail.ru, Yandex, QQ, NetEase, Naver and NTT.
// Pure.
import type { BounceRule } from "./bounce-class.ts";
import { pairUp } from "./noun-and-predicate.ts";

const SOURCE = "Localised replies of hosters in Europe, Latin America and Asia";

/**
 * Words for a mailbox or its user. All lists in this file write Latin letters without diacritics,
 * because classify.ts removes diacritics from a reply. `ł`, `ı` and `æ` stay, because Unicode does
 * not decompose them.
 */
const MAILBOX = [
  String.raw`postfach|mailbox|benutzer|teilnehmer|empfaenger|empfanger|adressat|kont[oa]\b`,
  String.raw`boite|compte\b|destinataire|utilisateur|abonne`,
  String.raw`buzon|casilla|cuenta\b|usuario|destinatari|\bpersona\b`,
  String.raw`casella|account\b|utente|caixa|conta\b|utilizador`,
  String.raw`postvak|postbus|gebruiker|geadresseerde|ontvanger`,
  String.raw`skrzynk|uzytkownik|odbiorc|schrank|uzivatel|prijemc`,
  String.raw`ящик|пользовател|получател|адресат|аккаунт|учетн`,
  "邮箱|郵箱|信箱|用户|用戶|使用者|收件人|收件者|账户|帐号|账号|帳號|收信人",
  "メールボックス|受信箱|ユーザ|宛先|受信者|アカウント|사서함|메일함|사용자|수신자|받는 사람|계정|편지함",
  String.raw`kullan[iı]c[iı]|\bal[iı]c[iı]|posta kutusu|brevlad|postlad|postkass|mottag|modtag|mottak|anvandar|bruker|kayttaja|postilaatikko|vastaanottaja|postafiok|cimzett|felhasznalo|casuta|utilizator|destinatar`,
  String.raw`скриньк|користувач|отримувач|одержувач|потребител|пощенск|γραμματοκιβωτιο|χρηστη|παραληπτ|hop thu|nguoi nhan|nguoi dung|kotak (?:surat|masuk)|pengguna|penerima`,
  "صندوق|المستخدم|المستلم|תיבת|משתמש|נמען|กล่องจดหมาย|กล่องเมล|ผู้ใช้|ผู้รับ",
];

/**
 * Words for an address. They may mean the sender's or the client's address. So they count as words
 * for the mailbox only together with "unknown" or "unavailable".
 */
const ADDRESS = [
  String.raw`(?<!\bip[ -])(?:adresse|direccion|indirizzo|endereco|adres|adresa|адрес|地址|アドレス|주소)(?! ?ip\b)(?!s\b)`,
];

const SENDER = [
  String.raw`absender|expediteur|emetteur|remitente|remetente|mittente|afzender|nadawc|odesilatel|gonderen|gonderici|avsandar|afsender|avsender|lahettaj|felado|expeditor`,
  "отправител|发件人|發件人|寄件者|寄件人|发送者|发信人|送信者|差出人|送信元|발신자|보낸 사람|보내는 사람|발송인",
  "відправник|подател|αποστολ|השולח|المرسل|nguoi gui|pengirim|ผู้ส่ง",
];

const STORAGE = [
  String.raw`speicher|kontingent|quota|cuota\b|\bcota\b|stockage|almacenamiento|spazio|espaco|espacio en|opslag|pojemno|квот|место на`,
  "容量|空间|空間|配额|配額|용량|할당량|kapasite|lagringsutrymme",
];

const UNKNOWN = [
  String.raw`unbekannt|nicht bekannt|existiert nicht|gibt es nicht|nicht gefunden|nicht vorhanden|ungultig|ungueltig|kein(?:e|en)? solche`,
  String.raw`inconnu|pas connu|n'existe pas|inexist|introuvable|invalide|non trouve|non valide|n'est pas valide`,
  String.raw`desconocid|no existe|no encontrad|no (?:ha|fue|se ha) (?:sido )?encontrad|invalid[oa]\b|no (?:es )?valid|errone[oa]\b`,
  String.raw`sconosciut|inesist|non esist|non (?:e |e' |e stato )?trovat|non (?:e |e' )?valid|errat[oa]\b|desconhecid|nao existe|nao (?:foi )?encontrad`,
  String.raw`onbekend|niet bekend|bestaat niet|niet gevonden|ongeldig|nieznan|nie istniej|nie znalezion|nie ma takie|nieprawid`,
  String.raw`не наиден|не существ|неизвест|неверн|нет такого|несуществ|не зарегистр`,
  "不存在|无效|無效|未找到|找不到|未知|存在しません|存在しない|見つかりません|不明|無効(?!化)|該当",
  "존재하지 않|없는|없습니다|찾을 수 없|알 수 없|유효하지 않|잘못된",
  String.raw`bulunam|gecersiz|bilinmeyen|neexistuj|neznam|nenalezen|okand|finns inte|ukendt|ukjent|findes ikke|finnes ikke|tuntematon|ei loydy|ismeretlen|nem letezik|necunoscut|nu exista`,
  String.raw`не існу|не знаиден|невідом|не съществ|непознат|αγνωστ|δεν υπαρχ|δεν βρεθηκ|khong ton tai|khong tim thay|tidak (?:ada|ditemukan|dikenal)`,
  "غير موجود|غير معروف|לא קיימת|לא קיים|לא נמצא|ไม่พบ|ไม่มี|ไม่รู้จัก",
];

const UNAVAILABLE = [
  String.raw`nicht verfugbar|nicht verfuegbar|nicht erreichbar|indisponib|indisponivel|no (?:esta )?disponible|non disponib|non e disponib|nao (?:esta )?disponivel|niet beschikbaar|niedostepn|nedostupn|inte tillgang|ikke tilg`,
  String.raw`недоступ|不可用|无法使用|無法使用|利用できません|利用不可|使用できません|사용할 수 없|kullan[iı]lam`,
];

const FOR_NOW = String.raw`vorubergehend|voruebergehend|zeitweilig|temporair|temporal|temporan|momentan|tijdelijk|tymczasow|chwilow|времен|暂时|暫時|一時的|일시적|gecici`;

const DISABLED = [
  String.raw`deaktiviert|gesperrt|geschlossen|geloscht|geloescht|inaktiv|stillgelegt|desactiv|suspend[ui]|\bferme|supprime|bloque|archivee?s?\b`,
  String.raw`deshabilitad|inactiv[oa]?s?\b|cerrad|suspendid|expirad|eliminad|disattivat|disabilitat|sospes|chius[oa]\b|inattiv|bloccat|cancellat|desativad|desabilitad|inativ|encerrad|excluid`,
  String.raw`uitgeschakeld|geblokkeerd|gesloten|opgeheven|gedeactiveerd|zablokowan|wyłączon|nieaktywn|zawieszon|usuniet`,
  String.raw`заблокирован|отключ|неактив|удален|деактивир|закрыт`,
  "停用|禁用|冻结|凍結|注销|註銷|关闭|锁定|無効化|停止|解約|閉鎖|휴면|정지|비활성|탈퇴|해지",
  String.raw`devre d[iı]s[iı]|ask[iı]ya al|kapat[iı]l|pasif`,
];

const FULL = [
  String.raw`\bvoll\b|uberfullt|ueberfuellt|erschopft|erschoepft|uberschritten|ueberschritten|\bpleine?\b|saturee?\b|depasse|llen[oa]\b|excedid|superad|agotad`,
  String.raw`\bpien[oa]\b|esaurit|superat|\bchei[oa]\b|lotad[oa]|esgotad|\bvol\b|overschreden|pełn|przepeln|przekrocz|переполн|превыш|заполн|исчерпан|полон`,
  "已满|已滿|满了|爆满|不足|超出|超过|超過|いっぱい|一杯|満杯|超え|가득|초과|꽉|부족",
  String.raw`\bdolu\b|dolmu|as[iı]ld[iı]|\bpln[aey]\b|prekrocen|taynna|ylitty|megtelt|betelt|\bplina\b`,
  String.raw`tele van|переповн|заповн|пълн|γεματ|πληρης|đay\b|penuh|ممتلئ|מלאה|מלא|เต็ม`,
];

const REFUSED = [
  String.raw`verweigert|abgelehnt|nicht erlaubt|refus(?!ed)|rejet|interdit|deneg|rechaz|no (?:esta )?permitid|no autoriz|negat[oa]\b|rifiutat|vietat|non consentit|negad|rejeitad|recusad|proibid`,
  String.raw`geweigerd|niet toegestaan|odrzucon|odmow|zabronion|отклон|запрещ|отказ|拒绝|拒絕|拒收|禁止|拒否|거부|차단|reddedil|odmitnut|avvisad|afvist`,
];

/** Words for "no longer". Beside a noun for a mailbox, they mean that the mailbox once existed. */
const NO_LONGER = [
  String.raw`nicht mehr(?! (?:zugelassen|erlaubt|akzept|angenommen))|gekundigt|gekuendigt`,
  String.raw`n'est plus|n'existe plus|\bya no\b(?! acept)|(?:dad[oa]|dar) de baja|non (?:e |e' |esiste )?piu`,
  String.raw`nao (?:esta |e |existe )?mais|niet (?:langer|meer)|nie jest juz|больше не|уже не|현재 사용`,
];

/** Words that mean "not used for a long time". Servers use them only for mailboxes. */
const UNUSED = [
  String.raw`inutilizz|inattivita|inactividad|inactivite|inatividade|inaktivitat`,
  String.raw`nicht (?:mehr )?genutzt|non utilisee?|nieaktywnosc|неактивност|長期間`,
];

/** Matches the text between a noun and its predicate: short, and without the end of a sentence. */
const WITHIN = String.raw`[^.;!?]{0,48}`;

/** Rules for a full mailbox. They are tried before the rules for an unknown mailbox. */
export const FOREIGN_QUOTA: readonly BounceRule[] = [
  {
    class: "QuotaIssues",
    source: SOURCE,
    says: [
      ...pairUp([...MAILBOX, ...STORAGE], FULL, WITHIN),
      /brevlad[^.;!?]{0,24}\bfull\b|postkass[^.;!?]{0,24}\bfuld\b/,
    ],
  },
];

/**
 * Rules for refusals of the sender. They come before the rules that relate the same predicates to
 * the recipient.
 */
export const FOREIGN_SENDER: readonly BounceRule[] = [
  {
    class: "InvalidSender",
    source: SOURCE,
    says: [
      ...pairUp(SENDER, [...UNKNOWN, ...UNAVAILABLE, ...REFUSED], WITHIN),
      /\b(?:ihre?|votre|uw|il (?:suo|vostro)|twoj[ea]?) (?:e-?mail[- ]?)?(?:konto|adresse|compte|account|indirizzo|adres)\b/,
    ],
  },
];

export const FOREIGN_MAILBOX: readonly BounceRule[] = [
  { class: "TransientFailure", source: SOURCE, says: pairUp([FOR_NOW], UNAVAILABLE, WITHIN) },
  {
    class: "InactiveMailbox",
    source: SOURCE,
    says: [
      ...pairUp(MAILBOX, DISABLED, WITHIN),
      ...pairUp([...MAILBOX, ...ADDRESS], [...NO_LONGER, ...UNUSED], WITHIN),
    ],
  },
  {
    class: "InvalidRecipient",
    source: SOURCE,
    says: [
      ...pairUp([...MAILBOX, ...ADDRESS], [...UNKNOWN, ...UNAVAILABLE], WITHIN),
      new RegExp(
        "(?:\\b(?:kein(?:e|en)?|aucune?|ningun[oa]?|nessun[oa]?|nenhuma?|geen|brak|" +
          "no tiene|n'a pas de|nao tem|nincs(?: ilyen)?|finne?s ikke|finns inte)|нет) " +
          `(?:\\S{1,16} )?(?:${MAILBOX.join("|")})`,
      ),
    ],
    kind: 5,
    weak: "policy",
  },
];

/** Rules for refusals without a more specific reason. */
export const FOREIGN_REFUSAL: readonly BounceRule[] = [
  { class: "PolicyRelated", source: SOURCE, says: [new RegExp(REFUSED.join("|"))], kind: 5 },
];
