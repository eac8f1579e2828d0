import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsageError } from '../command/usage-error.ts';

/** Where the browser comes back to after the login (RFC 8252 §7.3): a port of this machine that is free. */
export interface LoginRedirect extends AsyncDisposable {
  readonly redirectUri: string;
  /**
   * Waits for the answer of the server, and ends the login while the browser waits for its page.
   *
   * @param finish redeems the code; what it rejects with is the error of the login
   * @throws UsageError when nobody answers, or the answer is another one
   */
  answer<Value>(finish: (code: string) => Promise<Value>): Promise<Value>;
}

/** What an answer must have. */
export interface ExpectedAnswer {
  /** Only the browser in which the login began knows it. */
  readonly state: string;
  /** The issuer identifier of the server (RFC 9207). */
  readonly issuer: string;
}

const minutes = 10;

/** Listens for one answer, on the loopback interface alone. */
export async function openLoginRedirect(expected: ExpectedAnswer): Promise<LoginRedirect> {
  const server = process.getBuiltinModule('node:http').createServer();
  // No second process can listen there too.
  server.listen({ host: '127.0.0.1', port: 0, exclusive: true });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;

  return {
    redirectUri: `http://${host}/callback`,
    answer<Value>(finish: (code: string) => Promise<Value>): Promise<Value> {
      const { promise, resolve, reject } = Promise.withResolvers<Value>();
      let isAnswered = false;
      server.on('request', (request, response) => {
        const url = URL.parse(request.url ?? '', `http://${host}`);
        // Pages of other sites can send requests here, and have a name of theirs resolve to this machine.
        if (request.headers.host !== host || url?.pathname !== '/callback')
          return send(response, 404, nothingHere);
        if (request.method !== 'GET') return send(response, 405, nothingHere);
        if (isAnswered || !hasState(url.searchParams, expected.state))
          return send(response, 400, unknownAnswer);
        isAnswered = true;
        // The page is sent before the command ends.
        const closed = once(response, 'close');
        void codeOf(url.searchParams, expected)
          .then(finish)
          .then(
            (value) => {
              send(response, 200, loggedIn);
              void closed.then(() => resolve(value));
            },
            (error) => {
              send(response, 400, failed);
              void closed.then(() => reject(error));
            },
          );
      });
      const timer = setTimeout(() => {
        reject(new UsageError(`nobody logged in within ${minutes} minutes. Nothing was changed.`));
      }, minutes * 60_000);
      return promise.finally(() => clearTimeout(timer));
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** An answer without the state is from another page or program. It ends nothing: the login can still come. */
function hasState(parameters: URLSearchParams, expected: string): boolean {
  const [given = '', ...others] = parameters.getAll('state');
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return others.length === 0 && a.length === b.length && timingSafeEqual(a, b);
}

/** @throws UsageError */
async function codeOf(parameters: URLSearchParams, { issuer }: ExpectedAnswer): Promise<string> {
  const [iss, ...others] = parameters.getAll('iss');
  if (iss !== issuer || others.length > 0) {
    throw new UsageError(
      `the answer in the browser is from another server: expected the issuer ${issuer}, got ${iss ?? 'none'}. Nothing was sent to either.`,
    );
  }
  const error = parameters.get('error');
  if (error !== null) {
    const reason = error === 'access_denied' ? 'it was cancelled in the browser' : error;
    const description = parameters.get('error_description');
    throw new UsageError(
      `you are not logged in: ${reason}${description === null ? '' : ` (${description})`}`,
    );
  }
  const [code, ...more] = parameters.getAll('code');
  if (code === undefined || more.length > 0) {
    throw new UsageError('the answer in the browser has no code. Log in again.');
  }
  return code;
}

interface Text {
  readonly title: string;
  readonly sentence: string;
}

const loggedIn = {
  title: 'You are logged in',
  sentence: 'You can close this window. The command continues.',
};
const failed = {
  title: 'You are not logged in',
  sentence: 'You can close this window. The command says why.',
};
const unknownAnswer = {
  title: 'This is not the answer of your login',
  sentence: 'Go back to the window in which you log in, or start the command again.',
};
const nothingHere = { title: 'Nothing is here', sentence: 'A command waits here for a login.' };

/** The texts are those of this file alone: nothing of a request is in a page. */
function send(response: ServerResponse, status: number, { title, sentence }: Text): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    // The address has the code, which is redeemed by now.
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    connection: 'close',
    ...(status === 405 && { allow: 'GET' }),
  });
  response.end(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 1.5rem }
  main { max-width: 26rem }
  h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25 }
  p { margin: 0 }
</style>
<main>
<h1>${title}</h1>
<p>${sentence}</p>
</main>
`);
}
