import { isMailAddress, senderOf } from './address.ts';
import { MailError, mailErrorOf } from './mail-error.ts';
import { type MailServer, mailServerOf } from './mail-url.ts';

export interface MailTransportOptions {
  /** `smtps://user@host:465`, `smtp+starttls://user@host:587`, or `smtp://localhost:25`. */
  readonly url: string;
  /** Of the user in the URL. */
  readonly password?: string | undefined;
  /** `no-reply@example.org`, or `Example <no-reply@example.org>`. */
  readonly from: string;
  readonly replyTo?: string | undefined;
}

/** A mail to one person. */
export interface MailMessage {
  /** Letters, digits and `-`. A mail that is sent again has the same one, and so the same `Message-ID`. */
  readonly id: string;
  readonly to: string;
  /** BCP 47. */
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface MailTransport {
  /** Resolves when the mail server has accepted the mail. @throws MailError */
  send(message: MailMessage): Promise<void>;
  /** Closes the connections. */
  close(): Promise<void>;
}

/** Connections that are open at a time. */
const connections = 4;
// Milliseconds. A mail server that looks at the mail first answers late (RFC 5321 §4.5.3.2.6 permits ten minutes).
const connectTimeout = 10_000;
const silenceTimeout = 120_000;

/** Loads the library when the first mail is sent. @throws MailError if the options are not valid */
export function createMailTransport(options: MailTransportOptions): MailTransport {
  const server = mailServerOf(options.url);
  if (server === undefined) throw new MailError('refused', 'expected the URL of a mail server');
  const from = personOf(options.from);
  const replyTo = options.replyTo === undefined ? undefined : personOf(options.replyTo);
  let opened: ReturnType<typeof open> | undefined;
  return {
    async send({ id, to, language, subject, text, html }) {
      if (!isMailAddress(to)) throw new MailError('refused', 'the recipient is not one address');
      if (!/^[\w-]{1,64}$/.test(id)) throw new MailError('refused', 'the id is not one word');
      opened ??= open(server, options);
      const transporter = await opened;
      try {
        await transporter.sendMail({
          messageId: `<${id}@${from.address.split('@')[1]}>`,
          envelope: { from: from.address, to: [to] },
          from,
          to: { name: '', address: to },
          ...(replyTo !== undefined && { replyTo }),
          subject: onOneLine(subject),
          text,
          html,
          // No program answers, so that no two answer each other (RFC 3834 §5).
          headers: {
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            'Content-Language': language,
          },
          disableFileAccess: true,
          disableUrlAccess: true,
        });
      } catch (error) {
        throw mailErrorOf(error);
      }
    },
    async close() {
      (await opened)?.close();
    },
  };
}

async function open({ host, port, tls, user }: MailServer, { password = '' }: MailTransportOptions) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    pool: true,
    maxConnections: connections,
    idleTimeout: 10_000,
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(user !== undefined && { auth: { user, pass: password } }),
    tls: { minVersion: 'TLSv1.2' },
    connectionTimeout: connectTimeout,
    dnsTimeout: connectTimeout,
    greetingTimeout: connectTimeout,
    socketTimeout: silenceTimeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function personOf(text: string) {
  const person = senderOf(text);
  if (person === undefined) throw new MailError('refused', 'expected the address of a sender');
  return person;
}

/** A line that ends would begin another header. */
function onOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}
