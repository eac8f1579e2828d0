// `npm run check:deploy`: assembles the image and runs it, and checks everything of deploy/ with the tools that this machine has. A
// tool that is missing is named as a skipped test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assemble } from '../../deploy/image/assemble.ts';
import { whyNoContainer } from './container.ts';

const cwd = fileURLToPath(new URL('../..', import.meta.url));
const checks = globSync('test/deploy/*.{check,test}.ts', { cwd }).sort();
const image = await mkdtemp(join(tmpdir(), 'watchword-image-'));
try {
  if (whyNoContainer() === undefined) await assemble(image);
  const run = spawn(process.execPath, ['--conditions=source', '--test', '--test-concurrency=1', ...checks], {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, TEST_IMAGE: image },
  });
  const [code] = await once(run, 'exit');
  process.exitCode = code ?? 1;
} finally {
  await rm(image, { recursive: true });
}
