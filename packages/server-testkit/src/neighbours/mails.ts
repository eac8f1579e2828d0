import { mailSender } from '@watchword/accounts';
import { KeyRing, type Mail, type Stores } from '@watchword/protocol';
import { systemClock, systemRandom } from '../../../server/src/system.ts';

const time = Date.parse('2026-05-03T14:05:00Z');
const expires = Date.parse('2099-05-03T14:05:00Z');
const name = 'emma';

/** A mail of each kind. */
export function mailOfEachKind(to = 'emma@example.org', language = 'en'): readonly Mail[] {
  const link = { path: '/some/path?link=secret', expires };
  return [
    { kind: 'confirm_address', to, language, values: { ...link, code: '123456' } },
    { kind: 'address_changed', to, language, values: { name, address: 'new@example.org', time } },
    { kind: 'reset_password', to, language, values: { ...link, name } },
    { kind: 'no_password', to, language, values: { name, path: '/some/path' } },
    { kind: 'invitation', to, language, values: link },
    { kind: 'new_device', to, language, values: { name, device: 'Firefox, Linux', time } },
    { kind: 'new_factor', to, language, values: { name, factor: { kind: 'totp', label: 'My phone' }, time } },
    { kind: 'factor_removed', to, language, values: { name, factor: { kind: 'passkey', label: '' }, time } },
    { kind: 'recovery_code_used', to, language, values: { name, left: 9, time } },
    { kind: 'password_changed', to, language, values: { name, time } },
    { kind: 'address_taken', to, language, values: { name, path: '/some/path' } },
  ];
}

/** Stores mails as the features of a server do. */
export async function storeMails(store: Stores, mails: readonly Mail[]): Promise<void> {
  const system = { clock: systemClock, random: systemRandom };
  const sealer = await KeyRing.openExisting({ ...store, ...system });
  const send = mailSender({ sealer, ...system });
  for (const mail of mails) await store.transact((stores) => send(mail, stores));
}
