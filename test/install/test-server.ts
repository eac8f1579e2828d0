import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unpackChromium } from '../../packages/testkit/src/browser/unpack-chromium.ts';
import { blocks } from '../support/markdown.ts';

const guide = fileURLToPath(new URL('../../docs/guides/test-your-api.md', import.meta.url));

const npx = ['npx', '--no-install'] as const;

/** The commands of a user, by the name of the test runner. */
const runners: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'node:test': ['node', '--test', 'api.test.mjs'],
  Vitest: [...npx, 'vitest', 'run', '--config', 'guide.vitest.config.mjs'],
  Jest: [
    'env',
    'NODE_OPTIONS=--experimental-vm-modules',
    ...npx,
    'jest',
    '--config',
    'guide.jest.config.json',
  ],
  Playwright: [...npx, 'playwright', 'test', '--config', 'guide.playwright.config.mjs'],
};

/** What tells the runners which files are tests; what the guide leaves to those who know their runner. */
const configurations = {
  'guide.vitest.config.mjs': `export default { test: { include: ['api.vitest.mjs'] } };`,
  'guide.jest.config.json': '{ "testMatch": ["**/api.jest.cjs"] }',
};

/**
 * Runs the examples of the guide with each test runner.
 *
 * @param user the folder in which the packages and the runners are installed
 * @returns the names of the runners
 */
export async function testWithServer(
  user: string,
  run: (command: string, ...args: readonly string[]) => string,
): Promise<string[]> {
  run('npm', 'install', '--no-audit', '--no-fund', '@playwright/test@1');
  const examples = blocks('js', readFileSync(guide, 'utf8')).map((text) => [nameOf(text), text] as const);
  const { executablePath, libraries, fonts, home } = await unpackChromium();
  const env = { LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: fonts, HOME: home };
  const browser = {
    executablePath,
    env,
    chromiumSandbox: false,
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  };
  const playwright = { testMatch: 'login.spec.mjs', use: { launchOptions: browser } };
  const files = [
    ...examples,
    ...Object.entries(configurations),
    ['guide.playwright.config.mjs', `export default ${JSON.stringify(playwright)};`] as const,
  ];
  for (const [name, text] of files) writeFileSync(join(user, name), text);
  for (const [command, ...args] of Object.values(runners)) run(command, ...args);
  return Object.keys(runners);
}

function nameOf(example: string): string {
  const [, name] = /^\/\/ (\S+)\n/.exec(example) ?? [];
  if (name === undefined)
    throw new Error(`expected a comment with the name of the file first, got:\n${example}`);
  return name;
}
