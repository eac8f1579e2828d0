import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { followFlow } from '../src/follow-flow.ts';
import { UserAgent } from '../src/user-agent.ts';

describe('the user agent', () => {
  it('keeps cookies by their paths until they expire', async () => {
    await using server = await answering((request, response) => {
      if (request.url === '/set') {
        response.setHeader('set-cookie', ['a=1', 'b=2; Path=/deep', 'c=3; Max-Age=600', 'd=4; Max-Age=0']);
      }
      if (request.url === '/clear') response.setHeader('set-cookie', 'a=; Max-Age=0');
      response.end(request.headers.cookie ?? 'none');
    });
    const agent = new UserAgent();
    await agent.get(server.url('/set'));
    assert.equal((await agent.get(server.url('/'))).text, 'a=1; c=3');
    assert.equal((await agent.get(server.url('/deep/er'))).text, 'b=2; a=1; c=3');
    assert.equal((await agent.get(server.url('/deeper'))).text, 'a=1; c=3');
    await agent.get(server.url('/clear'));
    assert.equal((await agent.get(server.url('/'))).text, 'c=3');
    agent.forgetCookies();
    assert.equal((await agent.get(server.url('/'))).text, 'none');
  });

  it('follows redirects within the origin by GET, and stops at a redirect to another origin', async () => {
    await using server = await answering((request, response) => {
      const next: Record<string, string> = { '/1': '/2', '/2': '/end', '/out': 'https://client.example/cb' };
      const location = next[request.url ?? ''];
      if (location !== undefined) response.writeHead(303, { location });
      response.end(request.method);
    });
    const agent = new UserAgent();
    const inside = await agent.post(server.url('/1'), {});
    assert.equal(inside.url, server.url('/end'));
    assert.equal(inside.text, 'GET');
    const outside = await agent.get(server.url('/out'));
    assert.equal(outside.status, 303);
    assert.equal(outside.location, 'https://client.example/cb');
  });

  it('submits the fields that a browser submits: hidden fields, ticked boxes and the pressed button', async () => {
    await using server = await answering(async (request, response) => {
      if (request.method === 'POST') return void response.end(await text(request));
      response.setHeader('content-type', 'text/html');
      response.end(`<form action="/other"><input name="q"></form>
        <form id="f" method="post" action="sub?x=1"><p><input type=hidden name=state value="a&amp;b">
        <input name="name" value="old"><input type="checkbox" name="box" value="1" checked>
        <input type="checkbox" name="box" value="2"><input name="off" disabled>
        <button name="decision" value="allow">Yes</button><button name="decision" value="deny">No</button>
        </form><input form="f" name="outside" value="o">`);
    });
    const agent = new UserAgent();
    const page = await agent.get(server.url('/page/'));
    const untouched = await agent.submit(page, { name: 'n é' });
    assert.equal(untouched.url, server.url('/page/sub?x=1'));
    assert.equal(untouched.text, 'state=a%26b&name=n+%C3%A9&box=1&outside=o');
    const chosen = await agent.submit(page, { name: '', box: ['2'], decision: 'deny' });
    assert.equal(chosen.text, 'state=a%26b&name=&box=2&decision=deny&outside=o');
    assert.throws(() => agent.submit(page, { missing: '' }), /has no form with missing/);
  });

  it('sends its origin with a form, unless the page has the policy no-referrer', async () => {
    await using server = await answering((request, response) => {
      const { origin = 'none', referer = 'none' } = request.headers;
      if (request.method === 'POST') return void response.end(`${origin} ${referer}`);
      response.setHeader('content-type', 'text/html');
      if (request.url === '/silent') response.setHeader('referrer-policy', 'no-referrer');
      response.end('<form method="post"><input name="a"></form>');
    });
    const agent = new UserAgent();
    const open = await agent.submit(await agent.get(server.url('/open')), { a: '' });
    assert.equal(open.text, `${new URL(server.url('/')).origin} ${server.url('/open')}`);
    const silent = await agent.submit(await agent.get(server.url('/silent')), { a: '' });
    assert.equal(silent.text, 'null none');
  });
});

describe('following a flow', () => {
  it('logs in, consents, and ends at the redirect URI', async () => {
    await using server = await authorizing();
    const { parameters, pages } = await followFlow(new UserAgent(), server.url('/authorize'), {
      username: 'ada',
      scopes: ['write'],
    });
    assert.equal(parameters.get('answer'), 'auth_state=2&granted_scopes=write&decision=allow by ada');
    assert.equal(pages.length, 3);
  });

  it('denies consent', async () => {
    await using server = await authorizing();
    const { parameters } = await followFlow(new UserAgent(), server.url('/authorize'), { decision: 'deny' });
    assert.equal(parameters.get('answer'), 'auth_state=2&granted_scopes=read&decision=deny by emma');
  });

  it('reports the text of the page when the flow ends at the server', async () => {
    await using server = await answering((_request, response) => {
      response.writeHead(400, { 'content-type': 'text/html' }).end('<h1>No such client</h1>');
    });
    await assert.rejects(followFlow(new UserAgent(), server.url('/authorize')), /with 400: No such client/);
  });
});

/** Shows a login form, then a consent form, and redirects with the submitted values. */
function authorizing() {
  return answering(async (request, response) => {
    const form = new URLSearchParams(await text(request));
    response.setHeader('content-type', 'text/html');
    if (request.url === '/authorize') {
      response.end(
        '<form method="post" action="/login"><input type="hidden" name="auth_state" value="1"><input name="username"><input name="password"></form>',
      );
    } else if (request.url === '/login') {
      response.setHeader('set-cookie', `user=${form.get('username')}; Path=/`);
      response.end(
        '<form method="post" action="/consent"><input type="hidden" name="auth_state" value="2"><input type="checkbox" name="granted_scopes" value="read" checked><input type="checkbox" name="granted_scopes" value="write"><button name="decision" value="allow"></button><button name="decision" value="deny"></button></form>',
      );
    } else {
      const user = /user=(\w+)/.exec(request.headers.cookie ?? '')?.[1];
      const answer = encodeURIComponent(`${form} by ${user}`);
      response.writeHead(303, { location: `https://client.example/cb#answer=${answer}` }).end();
    }
  });
}

async function answering(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: (path: string) => `http://127.0.0.1:${port}${path}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
