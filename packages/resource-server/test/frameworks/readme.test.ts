import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { build } from 'rolldown';
import { accessErrors, rejections, unavailabilities } from '../../src/errors.ts';
import { optionsFromEnvironment } from '../../src/index.ts';
import { variables } from '../../src/options/environment.ts';
import { optionKinds } from '../../src/options/options.ts';
import { accept, answerWith, fakeAuthorizationServer, metadataOf } from '../support/authorization-server.ts';
import { examplesOf, runExample as run } from '../support/examples.ts';
import { httpApi } from '../support/http-api.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const readme = read('README.md');
const pages = ['frameworks', 'options', 'answers', 'revocation'].map((name) => read(`docs/${name}.md`));
const text = [readme, ...pages].join('\n');
const examples = examplesOf(text);

/** Cells of the rows of a section's tables, their heads left out. */
function rows(section: string): string[][] {
  const [, found = ''] = new RegExp(`^#+ ${section}\\n(.*?)(?=^#+ )`, 'ms').exec(`${text}\n# End`) ?? [];
  return [...found.matchAll(/^\| (.*`.*) \|$(?!\n\| -)/gm)].map(([, row = '']) =>
    row.split('|').map((cell) => cell.trim()),
  );
}

const code = (cell = '') => /^`([^`]+)`$/.exec(cell)?.[1];

/** What the compiler of an API with NestJS makes of an example. Node.js runs no decorators. */
async function compiled(example: string): Promise<string> {
  const { output } = await build({
    input: 'api.ts',
    external: /^@(?:nestjs|watchword)\//,
    plugins: [{ name: 'example', resolveId: (id) => (id === 'api.ts' ? id : null), load: () => example }],
    transform: { decorator: { legacy: true, emitDecoratorMetadata: true } },
    write: false,
  });
  return output[0].code;
}

function exampleWith(text: string): string {
  const [example, ...others] = examples.filter((candidate) => candidate.includes(text));
  assert.ok(example !== undefined && others.length === 0, text);
  return example;
}

/** Lets the examples find an authorization server that lets `emma` read. */
async function environment() {
  const server = await fakeAuthorizationServer();
  const { origin } = new URL(server.url);
  const metadata = answerWith(200, metadataOf(origin));
  server.answer((request, response) =>
    (request.url.startsWith('/.well-known/') ? metadata : accept())(request, response),
  );
  const before = { ...process.env };
  Object.assign(process.env, {
    WATCHWORD_URL: origin,
    WATCHWORD_TOKENINFO_KEY: 'orders-api',
    WATCHWORD_TOKENINFO_SECRET: 'its-secret',
  });
  return {
    origin,
    async [Symbol.asyncDispose]() {
      process.env = before;
      await server.stop();
    },
  };
}

const headers = { authorization: 'Bearer abc' };
const url = 'http://api.example/orders';

describe('the README and its pages', () => {
  it('protects an API of Fastify in one line', async () => {
    await using server = await environment();
    const example = exampleWith('this line is all');
    assert.match(example, /'http:\/\/localhost:8080', 'demo-resource-server', 'demo-resource-server-secret'/);
    const { app } = await run(example.replace('http://localhost:8080', server.origin));
    assert.equal((await app.inject({ url: '/orders', headers })).body, 'Orders of emma');
    assert.equal((await app.inject({ url: '/orders' })).statusCode, 401);
  });

  it('protects an API of Express', async () => {
    await using _ = await environment();
    const { app } = await run(exampleWith("from 'express'"));
    await using api = await httpApi(createServer(app), () => 0);
    assert.equal(await (await api.send('GET', Object.entries(headers))).text(), 'Orders of emma');
    assert.equal((await api.send('GET', [])).status, 401);
  });

  it('protects an API of Hono', async () => {
    await using _ = await environment();
    const { app } = await run(exampleWith("from 'hono'"));
    assert.equal(await (await app.request(url, { headers })).text(), 'Orders of emma');
    assert.equal((await app.request(url)).status, 401);
  });

  it('protects an API of Koa', async () => {
    await using _ = await environment();
    const { app } = await run(exampleWith("from 'koa'"));
    await using api = await httpApi(createServer(app.callback()), () => 0);
    assert.equal(await (await api.send('GET', Object.entries(headers))).text(), 'Orders of emma');
    assert.equal((await api.send('GET', [])).status, 401);
  });

  it('protects an API of NestJS', async () => {
    await using _ = await environment();
    const start = /^NestFactory.create\(AppModule\).*$/m;
    const quiet = 'export default await NestFactory.create(AppModule, { logger: false });';
    const example = exampleWith('NestFactory');
    assert.match(example, start);
    const { default: app } = await run(await compiled(example.replace(start, quiet)));
    await app.listen(0, '127.0.0.1');
    await using api = await httpApi(app.getHttpServer(), () => 0);
    assert.equal(await (await api.send('GET', Object.entries(headers))).text(), 'Orders of emma');
    assert.equal((await api.send('GET', [])).status, 401);
    assert.equal(await (await fetch(`${await app.getUrl()}/health`)).text(), 'up');
    await app.close();
  });

  it('protects a fetch handler', async () => {
    await using _ = await environment();
    const { default: worker } = await run(exampleWith('resource-server/fetch'));
    assert.equal(await (await worker.fetch(new Request(url, { headers }))).text(), 'Orders of emma');
    assert.equal((await worker.fetch(new Request(url))).status, 401);
  });

  it('protects a server of node:http', async () => {
    await using _ = await environment();
    const { server } = await run(exampleWith('resource-server/node'));
    await using api = await httpApi(server, () => 0);
    assert.equal(await (await api.send('GET', Object.entries(headers))).text(), 'Orders of emma');
    assert.equal((await api.send('GET', [])).status, 401);
  });

  it('protects any other server', async () => {
    await using _ = await environment();
    const { handle } = await run(exampleWith('createGuard('));
    assert.deepEqual(await handle({ headers: { authorization: 'Bearer abc' } }), {
      status: 200,
      body: 'Orders of emma',
    });
    assert.equal((await handle({ headers: {} })).status, 401);
  });

  it('shows rules of routes and a helper', async () => {
    await using _ = await environment();
    const { app } = await run(exampleWith('requireScope('));
    assert.equal((await app.inject({ method: 'DELETE', url: '/orders', headers })).statusCode, 403);
    assert.equal((await app.inject({ url: '/invoices', headers })).statusCode, 403);
  });

  it('shows how to ask for a stronger login', async () => {
    await using _ = await environment();
    const { app } = await run(exampleWith('requireLogin('));
    const send = { method: 'POST', url: '/orders', headers, payload: { total: 7 } } as const;
    assert.equal((await app.inject(send)).statusCode, 403);
    assert.equal((await app.inject({ ...send, url: '/payments' })).statusCode, 403);
  });

  it('shows a test that passes', async () => {
    const example = exampleWith('fakeVerifier');
    assert.equal(example.match(/; \/\/ /g)?.length, 3);
    await run(example);
  });

  it('shows variables that are read', () => {
    const exported = [...readme.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
    assert.deepEqual(optionsFromEnvironment(Object.fromEntries(exported)), {
      url: 'http://localhost:8080',
      key: 'demo-resource-server',
      secret: 'demo-resource-server-secret',
    });
  });

  it('lists every option and variable', () => {
    const listed = rows('The verifier').map(([option, variable]) => [code(option), code(variable)]);
    assert.deepEqual(listed.map(([option]) => option).sort(), Object.keys(optionKinds).sort());
    assert.deepEqual(Object.fromEntries(listed.filter(([, variable]) => variable !== undefined)), variables);
  });

  it('lists every error and every reason', () => {
    const listed = rows('Answers and errors').map(([first, second]) => code(second) ?? code(first));
    assert.deepEqual(listed, [...Object.keys(accessErrors), ...Object.keys(unavailabilities)]);
    for (const rejection of Object.keys(rejections)) assert.ok(text.includes(`\`${rejection}\``));
  });

  it('lists every rule', () => {
    const listed = rows('Rules and helpers').map(([rule]) => code(rule));
    const login = ['acrValues', 'maxAge'];
    assert.deepEqual(listed, [
      ...['scope', 'role', 'group', ...login, 'optional'],
      ...['realm', 'errors', 'preflight'],
    ]);
  });
});
