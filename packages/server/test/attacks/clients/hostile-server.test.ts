import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { type CommandResult, watchword } from '@watchword/server-testkit/processes/process';
import { slowTest } from '@watchword/testkit';

/** Text that moves the cursor, sets the title of the window, and hides or reorders text, in all known ways. */
const hostile = 'x\u001b[2J\u001b]0;y\u0007\r\n\u009b1mwatchword: done\u202e\u{e0041}\u0000';

/** The output of the command for this answer of a server. */
async function commandAgainst(
  answer: RequestListener,
  args: readonly string[],
  env: Record<string, string> = { WATCHWORD_ADMIN_TOKEN: 'wwa_token' },
): Promise<CommandResult> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    return await watchword(['--url', `http://127.0.0.1:${port}`, ...args], { env });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** No text moves a cursor or starts a line that looks like one of the command. */
function assertHarmless({ stdout, stderr }: CommandResult): void {
  assert.doesNotMatch(`${stdout}${stderr}`, /[^\P{C}\n]/u);
  assert.doesNotMatch(`${stdout}${stderr}`, /^watchword: done/m);
  assert.doesNotMatch(stderr, /^ {4}at /m);
}

const record = {
  id: 1,
  key: 'api',
  clientId: 'job',
  resourceserver_id: 1,
  name: hostile,
  clientName: hostile,
  scopes: [hostile],
  owner: hostile,
  attributes: { [hostile]: hostile },
  creationDate: hostile,
  expires: hostile,
  [hostile]: hostile,
};

describe('the command line with --url, against a hostile server', () => {
  for (const [args, isFirst] of [
    [['resource-server', 'list'], true],
    [['resource-server', 'show', 'api'], false],
    [['client', 'list'], false],
    [['client', 'show', 'job'], true],
    [['token', 'list'], false],
    [['token', 'show', '01980000-0000-7000-8000-000000000000'], false],
    [['client', 'delete', 'job', '--yes'], true],
  ] as const) {
    // Every list and every record is printed in the same way.
    const holds = isFirst ? it : slowTest;
    holds(`prints no control characters of its records: ${args.join(' ')}`, async () => {
      const result = await commandAgainst((request, response) => {
        if (request.method === 'DELETE') response.writeHead(204).end();
        else if (request.url?.includes('/stats'))
          json(response, 200, { clients: [{ ...record, tokens: hostile }] });
        else json(response, 200, request.url?.includes('accessToken/') ? record : [record]);
      }, args);
      assert.equal(result.code, 0, result.stderr);
      assert.match(
        result.stdout,
        args[1] === 'delete' ? /^Deleted job with x\\u001b/ : /x\\u001b\[2J\\u001b/,
      );
      assertHarmless(result);
    });
  }

  it('prints JSON with the meaning of the answer, without such characters', async () => {
    const list = ['resource-server', 'list', '--json'];
    const result = await commandAgainst((_request, response) => json(response, 200, [record]), list);
    assert.deepEqual(JSON.parse(result.stdout), [record]);
    assertHarmless(result);
  });

  for (const [what, body] of [
    ['reasons', { error: hostile, error_description: hostile }],
    ['broken rules', { error: 'invalid_request', violations: [hostile] }],
  ] as const) {
    it(`prints no control characters of its ${what}`, async () => {
      const args = ['resource-server', 'list'];
      const result = await commandAgainst((_request, response) => json(response, 400, body), args);
      assert.equal(result.code, 1);
      assert.match(result.stderr, /x\\u001b\[2J\\u001b/);
      assertHarmless(result);
    });
  }

  it('rejects an answer that cannot be a token, and does not print it', async () => {
    const env = { WATCHWORD_ADMIN_CLIENT_ID: 'a', WATCHWORD_ADMIN_CLIENT_SECRET: 'b' };
    for (const access_token of [hostile, 'a b', '']) {
      const answer: RequestListener = (_request, response) => json(response, 200, { access_token });
      const result = await commandAgainst(answer, ['client', 'list'], env);
      assert.equal(result.code, 1);
      assert.match(
        result.stderr,
        /^watchword: The server did not issue an access token: its answer of status 200 has none that can be used.\n$/,
      );
    }
  });

  it('sends no token that cannot be one, and does not print it', async () => {
    const never: RequestListener = (_request, response) => response.destroy();
    const env = { WATCHWORD_ADMIN_TOKEN: 'abc\ndef' };
    const { code, stderr } = await commandAgainst(never, ['client', 'list'], env);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /WATCHWORD_ADMIN_TOKEN: expected an access token, got characters that no access token has/,
    );
    assert.doesNotMatch(stderr, /abc|def/);
  });

  for (const [what, answer, expected] of [
    [
      'a list that repeats a page',
      (_request, response) => json(response, 200, [], { link: '</x?cursor=1>; rel="next"' }),
      /repeats a page/,
    ],
    [
      'a page without end',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const spaces = Buffer.alloc(65_536, ' ');
        const more = () => {
          while (!response.destroyed && response.write(spaces));
        };
        response.on('drain', more);
        more();
      },
      /larger than a list of records can be/,
    ],
    [
      'a page of more records than were asked for',
      (_request, response) => json(response, 200, Array(2000).fill({})),
      /a list of at most 1000 records/,
    ],
    ['a page that is no list', (_request, response) => json(response, 200, {}), /a list of at most 1000/],
    ['a list of no records', (_request, response) => json(response, 200, [null]), /a list of at most 1000/],
    ['a list that is nothing', (_request, response) => json(response, 200, null), /a record or a list/],
  ] as readonly (readonly [string, RequestListener, RegExp])[]) {
    it(`stops at ${what}, with a reason`, async () => {
      const result = await commandAgainst(answer, ['resource-server', 'list']);
      assert.equal(result.code, 1);
      assert.match(result.stderr, expected);
      assertHarmless(result);
    });
  }
});
