import { type MailLimits, mailSender, type SendMailDependencies } from '@watchword/accounts';
import { createMailTransport, type MailTransport } from '@watchword/mail';
import type { SendMail } from '@watchword/protocol';
import { isMailPassword, mailPasswordForm } from '../../config/checks.ts';
import { secretOf } from '../../config/secret-file.ts';
import { type Configuration, flagName } from '../../config/settings.ts';
import { ConfigurationError } from '../../configuration-error.ts';
import type { Place } from '../../place.ts';

/** How mails reach people. */
export interface Mailing {
  /** What sends mails; `undefined` if no mail server is set. */
  readonly mailTransport: MailTransport | undefined;
  /** Stores a mail that is sent later; `undefined` if no mail is set up: then nothing is shown that needs mail. */
  readonly sendMail: SendMail | undefined;
  readonly mailLimits: MailLimits;
}

/** Makes the function that adds mails to the secrets with which they are sealed. */
export function sealedMail(
  { storesMail = false }: Pick<Place, 'storesMail'>,
  { mailLimits, mailTransport }: Omit<Mailing, 'sendMail'>,
  parts: Omit<SendMailDependencies, 'sealer'>,
) {
  const isSetUp = storesMail || mailTransport !== undefined;
  return <Secrets extends Pick<SendMailDependencies, 'sealer'>>(secrets: Secrets): Secrets & Mailing => ({
    ...secrets,
    mailTransport,
    sendMail: isSetUp ? mailSender({ ...parts, sealer: secrets.sealer }) : undefined,
    mailLimits,
  });
}

/** For a command on a database, whose servers send what it stores; `undefined` if no mail server is set. */
export function openSendMailOf(
  configuration: Configuration,
  openSealer: () => Promise<SendMailDependencies['sealer']>,
  parts: Omit<SendMailDependencies, 'sealer'>,
): (() => Promise<SendMail>) | undefined {
  if (configuration['mail.url'] === undefined) return undefined;
  return async () => mailSender({ ...parts, sealer: await openSealer() });
}

/** What sends mails; `undefined` if no mail server is set. @throws ConfigurationError */
export async function mailTransportOf(
  configuration: Configuration,
  { storesMail = false }: Pick<Place, 'storesMail'> = {},
): Promise<MailTransport | undefined> {
  const [url, from] = [configuration['mail.url'], configuration['mail.from']];
  if (url === undefined) {
    if (configuration.registration === 'open' && !storesMail) {
      const problem =
        'registration open needs it, to confirm addresses: expected the address of a mail server, got none';
      throw new ConfigurationError([{ path: 'mail.url', place: flagName('mail.url'), problem }]);
    }
    return undefined;
  }
  if (from === undefined) {
    const problem = 'mail.url needs it: expected an address such as no-reply@example.org, got none';
    throw new ConfigurationError([{ path: 'mail.from', place: flagName('mail.from'), problem }]);
  }
  const password = await secretOf({
    path: 'mail.password',
    filePath: 'mail.passwordFile',
    text: configuration['mail.password'],
    file: configuration['mail.passwordFile'],
    form: mailPasswordForm,
    isValid: isMailPassword,
  });
  return createMailTransport({ url, password, from, replyTo: configuration['mail.replyTo'] });
}
