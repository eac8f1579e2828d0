import type { Passwords } from '@watchword/protocol';
import { composePasswords } from '@watchword/server/core/people/passwords';
import { argon2Hasher } from '@watchword/server/modules/authentication/password-hasher';
import { systemRandom } from '@watchword/server/system';
import type { Io } from '../command/io.ts';

/** A part of an import of accounts is one transaction, for which the logins of a running server wait. */
export const accountsOfPart = 1000;

/** Hashes secrets that can be guessed. */
export function passwordsOfCommand(): Passwords {
  return composePasswords(argon2Hasher({ random: systemRandom, concurrency: 1 }));
}

/** Shows how far an import of many records is: in one line of a terminal, else in a line for a thousand records. */
export function progressOn(out: Io['stderr'], of: number): ((done: number) => void) | undefined {
  if (of < 1000) return undefined;
  const isTerminal = out.isTTY === true;
  const step = isTerminal ? 100 : 1000;
  return (done) => {
    if (done % step !== 0 && done !== of) return;
    const words = `${done} of ${of} records`;
    out.write(isTerminal ? `\r\u001b[K${words}${done === of ? '\n' : ''}` : `${words}\n`);
  };
}
