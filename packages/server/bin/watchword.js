#!/usr/bin/env node
// Starts the command from `dist` as published, or from `src` in a checkout, where nothing is built.
import { existsSync } from 'node:fs';
import * as module from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { isTooOld, runByPinnedNode } from './pinned-node.js';

if (isTooOld(process.versions.node)) runByPinnedNode();
else await run();

async function run() {
  // See runtime/heap-growth.ts, which ends this.
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--incremental-marking-soft-trigger=30');

  if (existsSync(new URL('../src', import.meta.url))) {
    // In the checkout, not in the shared temporary directory where other users could plant code.
    const cache = new URL('../../../node_modules/.cache/compile', import.meta.url);
    module.enableCompileCache(fileURLToPath(cache));
    // As `node --conditions=source` would: the packages of the workspace resolve to their sources.
    module.registerHooks({
      resolve: (specifier, context, next) =>
        next(specifier, { ...context, conditions: [...context.conditions, 'source'] }),
    });
  }
  const { main } = await import('#program');
  process.exitCode = await main(process.argv);
}
