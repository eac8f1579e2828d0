import { timingSafeEqual } from 'node:crypto';
import { derivedKey, keyedDigest, type Random, randomText } from '@watchword/protocol';

/** An account, as a list of texts. */
export type DeviceAccount = readonly string[];

/** The devices on which users have logged in before, by a text that each of them keeps: nothing is stored about them. */
export interface KnownDevices {
  /** The id of the device that has this text, if it is known for the account. */
  find(text: string | undefined, account: DeviceAccount, now: number): string | undefined;
  /** The text with which the device is known for the account, under a new id, and for the other accounts of `text`. */
  add(text: string | undefined, account: DeviceAccount, now: number): string;
}

export interface KnownDeviceDependencies {
  readonly random: Random;
  /** The key of digests of this database. */
  digestKey(): Uint8Array;
  /** Milliseconds after a login for which a device is known. */
  readonly knownFor: number;
}

/** What {@link KnownDevices.add} makes. */
export const deviceText = /^[\w.~-]{1,1000}$/;

// Accounts that one device can be known for, the last ones: more would make the headers of its requests too large.
const maxAccounts = 8;

// 128 bits of each: no id comes twice, and no digest is guessed.
const idBytes = 16;
const digestLength = 22;
const entryPattern = /^([0-9a-z]{1,11})\.([\w-]{22})\.([\w-]{22})$/;

interface Entry {
  readonly text: string;
  /** Epoch milliseconds of the login, base 36. */
  readonly time: string;
  readonly id: string;
  readonly digest: string;
}

/**
 * Device cookies as OWASP describes them. The text has an entry for each account: the time of the login, the id of the
 * device, and a keyed digest over both and the account. An entry does not show its account.
 */
export function knownDevices({ random, digestKey, knownFor }: KnownDeviceDependencies): KnownDevices {
  const entriesAt = (text: string, now: number) =>
    readEntries(text).filter(({ time }) => now - Number.parseInt(time, 36) < knownFor);

  return {
    find(text = '', account, now) {
      const isOwn = isOf(account, digestKey());
      return entriesAt(text, now).find(isOwn)?.id;
    },
    add(text = '', account, now) {
      const key = digestKey();
      const isOwn = isOf(account, key);
      const others = entriesAt(text, now).filter((entry) => !isOwn(entry));
      const kept = others.slice(0, maxAccounts - 1).map((entry) => entry.text);
      const [time, id] = [now.toString(36), randomText(random, idBytes)];
      const digest = digests(account, key)(time, id);
      return [`${time}.${id}.${digest}`, ...kept].join('~');
    },
  };
}

/** Makes the function that decides whether an entry is of the account. */
function isOf(account: DeviceAccount, key: Uint8Array): (entry: Entry) => boolean {
  const digestOf = digests(account, key);
  return ({ time, id, digest }) => timingSafeEqual(Buffer.from(digest), Buffer.from(digestOf(time, id)));
}

function digests(account: DeviceAccount, secret: Uint8Array): (time: string, id: string) => string {
  const key = derivedKey(Buffer.from(secret).toString('base64url'), 'known devices');
  return (time, id) => keyedDigest(key, [...account, time, id]).slice(0, digestLength);
}

function readEntries(text: string): Entry[] {
  if (!deviceText.test(text)) return [];
  return text
    .split('~')
    .slice(0, maxAccounts)
    .flatMap((entry) => {
      const [, time, id, digest] = entryPattern.exec(entry) ?? [];
      if (time === undefined || id === undefined || digest === undefined) return [];
      return [{ text: entry, time, id, digest }];
    });
}
