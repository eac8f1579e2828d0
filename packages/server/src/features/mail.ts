import { openMail, sealMail } from '@watchword/accounts';
import { MailError, type MailTransport } from '@watchword/mail';
import type { OutgoingMail } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import { type MailFailure, startMailDeliveries } from '../runtime/work/mail-deliveries.ts';
import type { Feature } from './feature.ts';

type Parts = Pick<
  Core,
  'baseUrl' | 'clock' | 'logger' | 'mailTransport' | 'metrics' | 'pages' | 'sealer' | 'store'
>;

/** Sends the mails that changes leave behind, if there is a mail server. */
export function mail(parts: Parts): Feature {
  const { mailTransport: transport, sealer, store } = parts;
  if (transport === undefined) return {};
  return {
    start() {
      const stop = startMailDeliveries({
        ...parts,
        outgoingMail: store.outgoingMail,
        deliver: (outgoing) => deliver(outgoing, transport, parts),
        async sealAgain(outgoing) {
          const opened = await openMail(outgoing, sealer);
          return opened === undefined ? outgoing.sealed : sealMail(opened, sealer);
        },
      });
      return async () => {
        await stop();
        await transport.close();
      };
    },
  };
}

async function deliver(
  outgoing: OutgoingMail,
  transport: MailTransport,
  { baseUrl, logger, pages, sealer }: Parts,
): Promise<MailFailure | undefined> {
  const opened = await openMail(outgoing, sealer);
  if (opened === undefined) return { kind: 'refused', reason: 'the keys of the server were renewed' };
  try {
    await transport.send({ ...pages.mail(opened, baseUrl), id: outgoing.id, to: opened.to });
    return undefined;
  } catch (error) {
    if (error instanceof MailError) return { kind: error.kind, reason: error.message };
    logger.error({ err: error, kind: opened.kind }, 'a mail could not be made');
    return { kind: 'postponed', reason: 'it could not be made' };
  }
}
