#!/usr/bin/env node
// Starts the command from `dist` as published, or from `src` in a checkout, where nothing is built.
import { existsSync } from 'node:fs';
import * as module from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

// Passwords are hashed by crypto.argon2, which came with 24.7.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 7)) {
  console.error(
    `Watchword needs Node.js 24.7 or later, and this is ${process.version}. In a checkout, "npx watchword" runs it with the Node.js that "npm ci" brought.`,
  );
  process.exit(1);
}

// See operation/young-generation.ts, which ends this.
setFlagsFromString('--semi-space-growth-factor=1');

const source = new URL('../src/cli/main.ts', import.meta.url);
if (existsSync(source)) {
  // In the checkout, not in the shared temporary directory where other users could plant code.
  module.enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compile', import.meta.url)));
  // As `node --conditions=source` would: the packages of the workspace resolve to their sources.
  module.registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: [...context.conditions, 'source'] }),
  });
}
const { main } = await import(existsSync(source) ? source.href : '../dist/cli/main.js');
process.exitCode = await main(process.argv);
