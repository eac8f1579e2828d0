import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail that the server has accepted. */
export interface ReceivedMail {
  readonly to: string;
  readonly from: string;
  /** As it came. */
  readonly raw: string;
  readonly mail: Email;
}

/** A real SMTP server of this machine. */
export interface MailServer extends AsyncDisposable {
  readonly port: number;
  /** `smtp://127.0.0.1:PORT` */
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  /** Resolves when there are so many mails. */
  until(count: number): Promise<readonly ReceivedMail[]>;
}

export interface MailServerOptions extends SMTPServerOptions {
  readonly port?: number;
  /** The answer to a mail in place of acceptance, such as `451 later`. @param count of the attempts so far */
  refuses?(to: string, count: number): Error | undefined;
}

export async function startMailServer({
  port = 0,
  refuses,
  ...options
}: MailServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const waiting = new Set<() => void>();
  let attempts = 0;
  const server = new SMTPServer({
    disabledCommands: options.key === undefined ? ['STARTTLS', 'AUTH'] : [],
    authOptional: true,
    ...options,
    onRcptTo({ address }, _session, done) {
      attempts += 1;
      done(refuses?.(address, attempts));
    },
    onData(stream, { envelope }, done) {
      const take = async () => {
        const raw = (await buffer(stream)).toString('latin1');
        const mail = await PostalMime.parse(Buffer.from(raw, 'latin1'));
        const to = envelope.rcptTo.map(({ address }) => address).join(',');
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        received.push({ to, from, raw, mail });
        for (const look of waiting) look();
      };
      take().then(() => done(), done);
    },
  });
  // A client that is killed breaks its connection.
  server.on('error', () => {});
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const { port: open } = server.server.address() as AddressInfo;
  return {
    port: open,
    url: `smtp://127.0.0.1:${open}`,
    received,
    async until(count) {
      await new Promise<void>((resolve) => {
        const look = () => {
          if (received.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      });
      return received;
    },
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** The answer of a mail server that does not take a mail. */
export function smtpAnswer(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}
