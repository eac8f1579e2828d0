import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { startProcess, temporaryDirectory, until } from '@watchword/server-testkit/processes/process';
import { copyDemo } from '@watchword/server-testkit/servers/server';
import { slowTest } from '@watchword/testkit';
import { createLogger } from '../../src/runtime/log/logger.ts';
import { serviceManager } from '../../src/runtime/service-manager.ts';

/** The side of systemd: a datagram socket, which Node.js cannot open. It prints each message, and closes the descriptors that come along. */
const receiver = `
import array, os, socket, sys
end = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
end.bind(sys.argv[1])
print('bound', flush=True)
while True:
    message, ancillary, _, _ = end.recvmsg(4096, 1024)
    for _, _, data in ancillary:
        for descriptor in array.array('i', data[:4]):
            os.close(descriptor)
    print(message.decode().replace('\\n', ' '), flush=True)
`;

async function startReceiver() {
  const directory = await temporaryDirectory();
  writeFileSync(directory.file('receiver.py'), receiver);
  const socket = directory.file('notify');
  const child = spawn('python3', [directory.file('receiver.py'), socket], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let messages = '';
  child.stdout.on('data', (chunk) => (messages += chunk));
  await until(() => messages.includes('bound'));
  return {
    socket,
    /** What came, but for the barriers with which the program of systemd waits for the receiver. */
    received: () => messages.split('\n').filter((line) => line !== '' && !/^(?:bound|BARRIER=1)$/.test(line)),
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await directory[Symbol.asyncDispose]();
    },
  };
}

const isMissing = (program: string) => spawnSync(program, ['--version']).error !== undefined;
const missing = ['systemd-notify', 'python3'].find(isMissing);
const skip = missing !== undefined && `${missing} is not on this machine`;

/** A logger, and the warnings that it wrote. */
function recordingLogger() {
  const warnings: string[] = [];
  const write = (line: string) => void warnings.push(line);
  const sink = { stream: { write }, dropped: () => 0, flush: async () => {} };
  return { warnings, logger: createLogger('warn', sink, { node: 'a', version: '1' }) };
}

describe('the service manager', { skip }, () => {
  it('hears that the server is ready, that it is alive, and that it ends', async () => {
    await using systemd = await startReceiver();
    await using directory = await temporaryDirectory();
    await copyDemo(directory.file('x.db'));
    const environment = [`NOTIFY_SOCKET=${systemd.socket}`, 'WATCHDOG_USEC=200000'];
    const args = [
      '--demo',
      'small',
      '--host',
      '127.0.0.1',
      '--port',
      '0',
      '--database',
      directory.file('x.db'),
    ];
    await using server = await startProcess(args, (command) => ['env', ...environment, ...command]);
    const signs = () => systemd.received().filter((message) => message === 'WATCHDOG=1').length;
    await until(() => signs() >= 2);
    assert.equal(systemd.received()[0], `READY=1 STATUS=answers at ${server.baseUrl}`);
    assert.equal(await server.end('SIGTERM'), 0);
    await until(() => systemd.received().some((message) => message.startsWith('STOPPING=1 ')));
    assert.doesNotMatch(server.log(), /systemd/);
  });

  slowTest('hears no sign of life that it did not ask this process for', async () => {
    await using systemd = await startReceiver();
    const { warnings, logger } = recordingLogger();
    const environment = { ...process.env, NOTIFY_SOCKET: systemd.socket };
    const others = [{}, { WATCHDOG_USEC: '1000', WATCHDOG_PID: '2' }, { WATCHDOG_USEC: 'soon' }];
    const managers = others.map((other) => serviceManager({ ...environment, ...other }, logger));
    for (const manager of managers) manager.ready('x');
    await until(() => systemd.received().length >= managers.length);
    for (const manager of managers) manager.stopping();
    await until(() => systemd.received().length >= 2 * managers.length);
    assert.ok(!systemd.received().includes('WATCHDOG=1'));
    assert.deepEqual(warnings, []);
  });
});

describe('the program that tells a service manager', () => {
  it('gets none of the settings of the server, which can be secrets', async () => {
    await using directory = await temporaryDirectory();
    const seen = directory.file('seen');
    writeFileSync(
      directory.file('systemd-notify'),
      `#!/bin/sh\nenv > ${seen}.part; mv ${seen}.part ${seen}\n`,
      {
        mode: 0o755,
      },
    );
    const { warnings, logger } = recordingLogger();
    const environment = {
      ...{ NOTIFY_SOCKET: directory.file('nobody'), PATH: `${directory.path}:${process.env.PATH}` },
      WATCHWORD_SIGNING_KEY: 'a secret',
    };
    serviceManager(environment, logger).ready('x');
    await until(() => existsSync(seen));
    const text = readFileSync(seen, 'utf8');
    assert.match(text, /^NOTIFY_SOCKET=/m);
    assert.doesNotMatch(text, /WATCHWORD/);
    assert.deepEqual(warnings, []);
  });
});

describe('without a service manager', () => {
  it('the server tells nobody of its state', () => {
    const { warnings, logger } = recordingLogger();
    const manager = serviceManager({ WATCHDOG_USEC: '1' }, logger);
    manager.ready('x');
    manager.stopping();
    assert.deepEqual(warnings, []);
  });

  slowTest('the log says once that systemd could not be told', async () => {
    await using directory = await temporaryDirectory();
    const { warnings, logger } = recordingLogger();
    const environment = {
      NOTIFY_SOCKET: directory.file('nobody'),
      PATH: directory.path,
      WATCHDOG_USEC: '10000',
    };
    const manager = serviceManager(environment, logger);
    manager.ready('x');
    await until(() => warnings.length > 0);
    manager.stopping();
    // By the time that another one has failed, so has the last message of this one.
    const other = recordingLogger();
    serviceManager(environment, other.logger).stopping();
    await until(() => other.warnings.length > 0);
    assert.equal(warnings.length, 1);
    assert.match(
      warnings[0] ?? '',
      /systemd was not told \\"READY=1 STATUS=x\\".*systemd-notify failed; install it/,
    );
  });
});
