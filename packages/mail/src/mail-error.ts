/**
 * - `refused`: no repetition helps
 * - `postponed`: the mail server does not take this mail now
 * - `unavailable`: the mail server takes no mail now
 */
export type MailErrorKind = 'refused' | 'postponed' | 'unavailable';

/** Why a mail was not sent. The message has neither an address nor a password, and completes "the mail was not sent: …". */
export class MailError extends Error {
  override readonly name = 'MailError';
  readonly kind: MailErrorKind;

  constructor(kind: MailErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** What nodemailer adds to its errors. */
interface TransportError {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

const reasons: Readonly<Record<string, string>> = {
  ECONNECTION: 'no connection to the mail server; check host and port of mail.url, and the firewall',
  EDNS: 'the host of mail.url has no address',
  ESOCKET: 'no connection to the mail server; check host and port of mail.url, and the firewall',
  ETIMEDOUT: 'the mail server did not answer in time',
  ETLS: 'the mail server offers no TLS here; check the scheme and the port of mail.url',
  EAUTH: 'the mail server refused the login; check the user in mail.url, and mail.password',
  EPROTOCOL: 'the mail server gave an answer that is not SMTP; check the scheme and the port of mail.url',
};

const untrusted =
  'the certificate of the mail server is not for the host of mail.url, is not valid now, or is of an authority that is not trusted; name your own authority in NODE_EXTRA_CA_CERTS';

/** @param error of nodemailer */
export function mailErrorOf(error: unknown): MailError {
  const { code = '', command = '', responseCode, response = '' } = error as TransportError;
  const answer = responseCode === undefined ? '' : ` (it answered ${statusOf(responseCode, response)})`;
  // The text of an answer can say anything.
  const tlsProblem = responseCode === undefined ? tlsProblemOf((error as Error).message) : undefined;
  if (tlsProblem !== undefined) return new MailError('unavailable', tlsProblem);
  if ((code !== 'EENVELOPE' && code !== 'EMESSAGE') || responseCode === undefined)
    return new MailError('unavailable', `${reasons[code] ?? 'the mail server could not be used'}${answer}`);
  const isRefused = isRefusedForGood(command, responseCode, response);
  const kind = isRefused ? 'refused' : command === 'MAIL FROM' ? 'unavailable' : 'postponed';
  // Not the text of the answer, which often names the address.
  const status = statusOf(responseCode, response);
  return new MailError(kind, `the mail server answered ${status} to ${wordsOf(command)}`);
}

/** Why the connection has no TLS that is trusted, if it is that. */
function tlsProblemOf(message: string): string | undefined {
  if (/certificate|self.signed|altnames/i.test(message)) return untrusted;
  // The first bytes were no TLS.
  return /wrong version number|packet length too long/.test(message) ? reasons.ETLS : undefined;
}

/** The status and the enhanced status (RFC 3463) of an answer. */
function statusOf(responseCode: number, response: string): string {
  const [, enhanced] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? [];
  return enhanced === undefined ? String(responseCode) : `${responseCode} ${enhanced}`;
}

/**
 * A recipient or a mail that is refused for good (RFC 5321 §4.2.1). Not a policy (5.7): an operator can mend a sender who may not
 * send, and the mail waits meanwhile.
 */
function isRefusedForGood(command: string, responseCode: number, response: string): boolean {
  if (responseCode < 550 || responseCode > 559) return false;
  return command !== 'MAIL FROM' && !/^\d{3}[ -]5\.7\./.test(response);
}

function wordsOf(command: string): string {
  if (command === 'RCPT TO') return 'the recipient';
  if (command === 'MAIL FROM') return 'the sender of mail.from';
  return 'the mail';
}
