import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { startServer } from '@watchword/server-testkit/servers/server';
import { loadConfiguration } from '../../src/config/load.ts';
import { accessLog } from '../../src/runtime/log/access-log.ts';
import { createLogger, type Logger, type LogSink } from '../../src/runtime/log/logger.ts';
import { textLines } from '../../src/runtime/log/text-line.ts';
import { servedAtTerminal } from '../support/served-at-terminal.ts';

/** What people read of the lines that the work writes, each without its time. */
function linesOf(work: (logger: Logger, sink: LogSink) => void): string {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(textLines(line)) };
  const sink = { stream, dropped: () => 0, flush: async () => {} };
  work(createLogger('debug', sink, { version: '0.0.0' }), sink);
  return lines.map((line) => line.replace(/^\d\d:\d\d:\d\d /, '')).join('');
}

describe('a line of the log for people', () => {
  it('has level, message and fields', () => {
    const lines = linesOf((logger) => {
      logger.info(
        { baseUrl: 'http://localhost:8080', migrated: [], port: 1, name: 'a b', none: null },
        'listening',
      );
      logger.warn('the disk is nearly full');
    });
    assert.equal(
      lines,
      'INFO  listening baseUrl=http://localhost:8080 migrated=[] port=1 name="a b" none=null\n' +
        'WARN  the disk is nearly full\n',
    );
  });

  it('has the fields of an object, each with the name of the object', () => {
    const audit = { action: 'create', actor: { name: 'emma de Vries' }, changed: ['name'], before: {} };
    const lines = linesOf((logger) => logger.info({ audit, route: '/' }, 'changed a record'));
    assert.equal(
      lines,
      'INFO  changed a record audit.action=create audit.actor.name="emma de Vries" audit.changed=["name"] route=/\n',
    );
  });

  it('has the request of a line of the access log', () => {
    const line = { requestId: 'r-1', method: 'GET', route: '/healthz', status: 200, milliseconds: 0.25 };
    const lines = linesOf((logger, sink) =>
      accessLog(logger, sink, true)({ ...line, address: '::1', error: null, isProbe: true }),
    );
    assert.equal(
      lines,
      'INFO  answered requestId=r-1 method=GET route=/healthz status=200 ms=0.25 address=::1\n',
    );
  });

  it('has the stack of an error on indented lines', () => {
    const lines = linesOf((logger) => logger.error({ err: new Error('first\nsecond') }, 'a request failed'));
    const [head, first, second, third] = lines.split('\n');
    assert.deepEqual([head, first, second], ['ERROR a request failed', '    Error: first', '    second']);
    assert.match(third ?? '', /^ {8}at /);
  });

  it('is as it was if it is none of the log, such as one that a module wrote in a worker', () => {
    const lines = textLines(
      '{"level":30,"time":0,"msg":"a"}\nhello\n{"level":broken\n{"level":40,"time":0,"msg":"b"}\n',
    );
    assert.match(lines, /^[\d:]{8} INFO {2}a\nhello\n\{"level":broken\n[\d:]{8} WARN {2}b\n$/);
  });

  it('has no control character of a value, a name or an error', () => {
    const evil = 'a\u001b]0;x\u0007\r\n12:00:00 INFO  forged\u009b2J\u202e';
    const lines = linesOf((logger) => {
      logger.info({ address: evil, nested: { [evil]: [evil] }, [evil]: 1 }, evil);
      logger.error({ err: new Error(evil) }, 'failed');
    });
    assert.deepEqual(lines.match(/[^\P{C}\n]/gu), null);
    const forged = lines.split('\n').filter((line) => line.startsWith('12:00:00'));
    assert.deepEqual(forged, []);
  });
});

describe('an error in the log', () => {
  it('has the messages of its causes, without one that it repeats', () => {
    const lines: string[] = [];
    const stream = { write: (line: string) => void lines.push(JSON.parse(line).err.message) };
    const logger = createLogger(
      'info',
      { stream, dropped: () => 0, flush: async () => {} },
      { version: '0.0.0' },
    );
    const refused = new Error('connect ECONNREFUSED', { cause: new Error('port 1') });
    const circular = new Error('a');
    circular.cause = new Error('b', { cause: circular });
    for (const err of [new Error('no answer', { cause: refused }), circular]) logger.error({ err }, 'failed');
    logger.error({ err: new Error('PostgreSQL: no server', { cause: new Error('no server') }) }, 'failed');
    assert.deepEqual(lines, ['no answer: connect ECONNREFUSED: port 1', 'a: b', 'PostgreSQL: no server']);
  });
});

describe('the log of a server', () => {
  it('is text at a terminal, and the demo commands follow it', async () => {
    await using directory = await temporaryDirectory();
    const output = await servedAtTerminal(
      ['--demo', 'small', '--database', directory.file('new.db')],
      /demo remove/,
      { WATCHWORD_BASEURL: 'https://id.example' },
    );
    assert.match(output, /^\d\d:\d\d:\d\d INFO {2}listening baseUrl=http:\/\/localhost:\d+ /m);
    assert.ok(output.indexOf('INFO  listening') < output.indexOf('Watchword serves'), output);
    assert.match(output, /INFO {2}shut down\r?$/m);
    assert.match(output, /WARN {2}WATCHWORD_BASEURL /, 'what the configuration warns of');
    assert.doesNotMatch(output, /"level":/);
  });
});

it('a start warns of a base URL of plain http that is not loopback, and of an authenticator for development', async () => {
  const warningsOf = async (baseUrl: string) =>
    (await loadConfiguration({ flags: { baseUrl }, environment: {}, file: undefined })).warnings;
  assert.match(
    (await warningsOf('http://id.example')).join('\n'),
    /^the base URL http:\/\/id\.example is plain http: the network can read [^\n]*$/,
  );
  for (const safe of ['https://id.example', 'http://localhost:8080', 'http://127.0.0.1']) {
    assert.deepEqual(await warningsOf(safe), []);
  }
  await using server = await startServer({
    baseUrl: 'http://id.example',
    allowInsecureAuthentication: 'true',
  });
  assert.match(server.log(), /"level":40,.*INSECURE: the authenticator module \\"form\\"/);
});
