import { isAccessTokenId } from '@watchword/administration';
import { canBeAccessToken } from '@watchword/protocol';
import type { Io } from '../../command/io.ts';
import type { Options } from '../../command/options.ts';
import { secretText } from '../../command/secret-input.ts';
import { UsageError } from '../../command/usage-error.ts';

/** Part of the help of commands that take a token by its text. */
export const jwtHelp = `
A JWT has the base URL of the server, and is known by it: without --url, set it as for the server (WATCHWORD_BASE_URL). A JWT is
in no list. Its id is printed when it is issued, or looked up with "watchword token show - < file".`;

/** The id and not the text of a token, because other users of the machine can read command lines. */
export function tokenId(given: string): string {
  if (isAccessTokenId(given)) return given;
  throw new UsageError(
    'expected the id of a token, as "watchword token list" prints it. To name a token by its text, pipe it: watchword token show - < file',
  );
}

/** @throws UsageError */
export function checkIdOrInput(id: string, { tokenStdin }: Options): void {
  if (id !== '-') tokenId(id);
  else if (tokenStdin === true) {
    throw new UsageError(
      '- and --token-stdin both read standard input; give the id of the token instead of -',
    );
  }
}

/** @throws UsageError when it cannot be a token of this server */
export async function presentedToken({ stdin }: Io): Promise<string> {
  const token = (await secretText('the token', stdin)).trim();
  if (canBeAccessToken(token)) return token;
  throw new UsageError('expected an access token of this server on standard input, got another text');
}
