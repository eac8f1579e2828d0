import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';

const folder = fileURLToPath(new URL('../../deploy/systemd/', import.meta.url));
const unit = `${folder}watchword.service`;
const text = readFileSync(unit, 'utf8');

/** Of 100, as `systemd-analyze` rates it: 0 is a service that can do nothing. */
const exposure = 15;

function systemd(tool: string, ...args: readonly string[]) {
  const { status, error, stdout, stderr } = spawnSync(tool, args, { encoding: 'utf8' });
  return { status, isMissing: error !== undefined, output: `${stdout}${stderr}` };
}

const skip = systemd('systemd-analyze', '--version').isMissing && 'systemd-analyze is not on this machine';

describe('the systemd unit', { skip }, () => {
  it('is understood by systemd, alone and with the drop-in for PostgreSQL', async () => {
    await using directory = await temporaryDirectory();
    const installed = directory.file('watchword.service');
    // systemd looks for the program, which is not installed here.
    writeFileSync(installed, text.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
    assert.deepEqual(verified(installed), { status: 0, output: '' });
    cpSync(`${folder}watchword.service.d`, directory.file('watchword.service.d'), { recursive: true });
    assert.deepEqual(verified(installed), { status: 0, output: '' });
  });

  it(`exposes the machine to no more than ${exposure} of 100`, () => {
    const args = ['security', '--offline=true', '--no-pager', `--threshold=${exposure}`, unit];
    const { status, output } = systemd('systemd-analyze', ...args);
    assert.equal(status, 0, output);
  });

  it('has its user in the file of systemd-sysusers', () => {
    const file = `${folder}watchword.sysusers.conf`;
    assert.match(readFileSync(file, 'utf8'), new RegExp(`^u ${/^User=(.*)$/m.exec(text)?.[1]} `, 'm'));
    const { status, output } = systemd('systemd-sysusers', '--dry-run', file);
    assert.equal(status, 0, output);
  });

  it('lets administrators register, and nobody else, with the settings of the guide', async () => {
    const { loadConfiguration } = await import('../../packages/server/src/config/load.ts');
    await using directory = await temporaryDirectory();
    const guide = readFileSync(new URL('../../docs/guides/deployment.md', import.meta.url), 'utf8');
    const [, written = ''] = /```yaml\n# \/etc\/watchword\/watchword\.yaml\n([^`]*)```/.exec(guide) ?? [];
    const file = directory.file('watchword.yaml');
    writeFileSync(file, written);
    const lines = text.matchAll(/^Environment=(\w+)=(.*)$/gm);
    // As systemd replaces it for a system service (systemd.unit(5)).
    const expanded = (value: string) => value.replaceAll('%S', '/var/lib');
    const environment = Object.fromEntries(
      [...lines].map(([, name = '', value = '']) => [name, expanded(value)]),
    );
    const { configuration, warnings } = await loadConfiguration({ flags: {}, environment, file });
    assert.deepEqual([configuration['administration.registration'], warnings], ['administrators', []]);
    assert.deepEqual(
      [configuration.baseUrl, configuration.authenticator],
      ['https://id.example.com', 'password'],
    );
  });

  it('ends a server that hangs, and waits for one that migrates', () => {
    assert.match(text, /^Type=notify$/m);
    // systemd-notify is another process than the main one.
    assert.match(text, /^NotifyAccess=all$/m);
    assert.ok(seconds('WatchdogSec') <= 60);
    assert.ok(seconds('TimeoutStartSec') >= 900);
  });

  it('is tried again for minutes, and then it is failed, also if it hangs at each start', () => {
    const burst = Number(/^StartLimitBurst=(\d+)$/m.exec(text)?.[1]);
    const pause = seconds('RestartSec');
    assert.ok(burst * (pause + 1) >= 120, 'a database that starts beside it has some minutes');
    const longest = pause + seconds('WatchdogSec') + seconds('TimeoutStopSec');
    assert.ok(burst * longest <= seconds('StartLimitIntervalSec'), 'the limit is reached');
  });

  it('leaves memory to the machine, and goes on when a worker had too much', () => {
    assert.match(text, /^MemoryMax=\d\d%$/m);
    assert.match(text, /^OOMPolicy=continue$/m);
  });

  it('waits longer for an orderly end than the server takes', async () => {
    const { settings } = await import('../../packages/server/src/config/settings.ts');
    const allowed = seconds('TimeoutStopSec');
    assert.ok(allowed > (settings['shutdown.deadline'].default ?? 0) + 2, `${allowed}`);
  });
});

/** A time span of the unit. */
function seconds(name: string): number {
  const [, number, unit = 's'] = new RegExp(`^${name}=(\\d+)(s|min|h)?$`, 'm').exec(text) ?? [];
  const size = { s: 1, min: 60, h: 3600 }[unit];
  assert.ok(number !== undefined && size !== undefined, name);
  return Number(number) * size;
}

function verified(file: string) {
  const { status, output } = systemd('systemd-analyze', 'verify', '--man=no', file);
  return { status, output };
}
