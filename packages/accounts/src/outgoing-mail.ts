import {
  type Clock,
  type Mail,
  type OutgoingMail,
  type Random,
  type Sealer,
  type SendMail,
  timeOrderedId,
} from '@watchword/protocol';

const purpose = 'mail';

/** Milliseconds: a mail server can be down over a weekend. */
const mailLifetime = 3 * 86_400_000;

export interface SendMailDependencies {
  readonly sealer: Pick<Sealer, 'seal'>;
  readonly clock: Clock;
  readonly random: Random;
}

/** Stores mails, sealed: a link in a mail is a secret, and an address is not shown in lists. */
export function mailSender({ sealer, clock, random }: SendMailDependencies): SendMail {
  return ({ accountId, ...mail }, { outgoingMail }) => {
    const now = clock.now();
    return outgoingMail.add({
      id: timeOrderedId(now, random),
      kind: mail.kind,
      ...(accountId !== undefined && { accountId }),
      sealed: sealMail(mail, sealer),
      creationDate: now,
      // A link that has expired helps nobody.
      expires: 'expires' in mail.values ? mail.values.expires : now + mailLifetime,
      attempts: 0,
      nextAttempt: now,
    });
  };
}

export function sealMail(mail: Mail, sealer: Pick<Sealer, 'seal'>): string {
  return sealer.seal(purpose, mail);
}

/** `undefined` if the keys of the server were renewed since. */
export async function openMail(
  { sealed }: OutgoingMail,
  sealer: Pick<Sealer, 'open'>,
): Promise<Mail | undefined> {
  return (await sealer.open(purpose, sealed)) as Mail | undefined;
}
