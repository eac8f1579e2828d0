import { type MailLimits, mailSender, type SendMailDependencies } from '@watchword/accounts';
import type { SendMail } from '@watchword/protocol';
import type { Place } from '../place.ts';

/** How mails reach people. */
export interface Mailing {
  /** Stores a mail that is sent later; `undefined` if no mail is set up. */
  readonly sendMail: SendMail | undefined;
  readonly mailLimits: MailLimits;
}

/** Makes the function that adds mails to the secrets with which they are sealed. */
export function sealedMail(
  { storesMail = false }: Pick<Place, 'storesMail'>,
  { mailLimits }: Pick<Mailing, 'mailLimits'>,
  parts: Omit<SendMailDependencies, 'sealer'>,
) {
  return <Secrets extends Pick<SendMailDependencies, 'sealer'>>(secrets: Secrets): Secrets & Mailing => ({
    ...secrets,
    sendMail: storesMail ? mailSender({ ...parts, sealer: secrets.sealer }) : undefined,
    mailLimits,
  });
}
