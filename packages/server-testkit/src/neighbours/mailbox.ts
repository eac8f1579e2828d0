import { openMail } from '@watchword/accounts';
import { KeyRing, type Mail } from '@watchword/protocol';
import { systemClock, systemRandom } from '../../../server/src/system.ts';
import type { Served } from '../servers/server.ts';

/** The mails that a server has stored, as `startServer` makes it store them, in the order in which they were stored. */
export async function mailsOf({ service: { store } }: Pick<Served, 'service'>): Promise<readonly Mail[]> {
  const sealer = await KeyRing.open({ ...store, clock: systemClock, random: systemRandom });
  const stored = await store.outgoingMail.listDue(Number.MAX_SAFE_INTEGER, 1000);
  const mails = await Promise.all(
    stored.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((mail) => openMail(mail, sealer)),
  );
  return mails.filter((mail) => mail !== undefined);
}

/** The last mail of a kind to an address. */
export async function lastMail<Kind extends Mail['kind']>(
  server: Pick<Served, 'service'>,
  kind: Kind,
  to: string,
): Promise<Extract<Mail, { kind: Kind }>> {
  const found = (await mailsOf(server)).findLast((mail) => mail.kind === kind && mail.to === to);
  if (found === undefined) throw new Error(`expected a mail ${kind} to ${to}, got none`);
  return found as Extract<Mail, { kind: Kind }>;
}
